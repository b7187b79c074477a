import Glibc
import Vocabulary

/// The virtual clock's price list: a call takes the processor time of this thread that it took here, times a factor for a slower
/// machine. How busy this machine is doesn't count.
struct VirtualCore {
    /// How many times slower the machine is that is asked about.
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
