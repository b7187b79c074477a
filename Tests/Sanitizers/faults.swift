// What the sanitizers must find, and what they must not: deploy/sanitize looks at itself with this before it looks at the tests.
import Glibc
import Synchronization

final class Shared: @unchecked Sendable {
    var value = 0
    let lock = Mutex(0)
    let guarded = UnsafeMutablePointer<Int>.allocate(capacity: 1)
    static let made = Shared()

    func race() { for _ in 0..<1000 { value &+= 1 } }

    /// Long enough within the lock for the other thread to wait for it.
    func take() {
        for _ in 0..<1000 {
            lock.withLock { _ in
                for _ in 0..<100 { guarded.pointee &+= 1 }
                sched_yield()
            }
        }
    }
}

func onTwoThreads(_ body: @escaping @Sendable () -> Void) {
    final class Box {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    let threads = (0..<2).map { _ in
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { box in
                Unmanaged<Box>.fromOpaque(box!).takeRetainedValue().body()
                return nil
            }, Unmanaged.passRetained(Box(body)).toOpaque())
        return thread
    }
    for thread in threads { pthread_join(thread, nil) }
}

/// In a frame of its own, so that nothing holds the memory any more.
@inline(never) func leak() { for _ in 0..<64 { memset(malloc(100), 1, 100) } }

switch CommandLine.arguments.dropFirst().first {
case "overflow":
    let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: 8)
    bytes[CommandLine.arguments.count + 6] = 1
case "leak": leak()
case "race":
    let shared = Shared()
    onTwoThreads { shared.race() }
case "actor":
    actor Counter { var value = 0; func add() { value += 1 } }
    let counter = Counter()
    await withTaskGroup(of: Void.self) { group in
        for _ in 0..<100 { group.addTask { await counter.add() } }
    }
    guard await counter.value == 100 else { exit(1) }
case "locks": onTwoThreads { Shared.made.take() }
default: exit(64)
}
