import Glibc
import Vocabulary

/// The virtual clock's price list: a call costs the processor time that it took on this thread, times a factor for a slower machine. It
/// doesn't matter how busy this machine is.
struct VirtualCore {
    /// How many times slower than this machine the simulated one is.
    var factor = 1.0
    /// Sending an order to another process and getting its answer.
    static let message: Duration = .microseconds(100)

    func run<Value>(_ body: () -> Value) -> (value: Value, cost: Duration) {
        let start = Self.processorTime
        let value = body()
        return (value, .nanoseconds(Int64(Double(Self.processorTime - start) * factor)))
    }

    private static var processorTime: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

/// The machine that is simulated.
struct VirtualMachine {
    /// How many times slower one of its cores is than this machine's.
    var factor = 1.0
    /// With one, everything takes turns on it. With more, the camera has one, and there is a reader for each of the others; the ten lines use one all
    /// the same, as a program of ten lines does.
    var cores = 1
    /// How many times dearer our calls are than `factor` says: cores that work at the same time share the memory, and planes lose more than scanning where
    /// memory is slow.
    var crowding = 1.0
}
