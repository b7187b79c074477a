import Foundation
import Synchronization

/// Breaks and repairs something at random instants until it is told to stop, and leaves it whole.
final class Saboteur: Sendable {
    private let isOver = Atomic<Bool>(false)
    private let problem = Mutex<(any Error)?>(nil)
    private let done = DispatchSemaphore(value: 0)

    /// - Parameters:
    ///   - whole: seconds that it stays whole.
    ///   - broken: seconds that it stays broken.
    init(
        seed: UInt64, whole: ClosedRange<Double>, broken: ClosedRange<Double>, break: @escaping @Sendable () -> Void,
        mend: @escaping @Sendable () throws -> Void
    ) {
        Thread { [self] in
            var random = SplitMix(seed: seed)
            do {
                while rest(random.seconds(in: whole)) {
                    `break`()
                    _ = rest(random.seconds(in: broken))
                    try mend()
                }
            } catch {
                problem.withLock { $0 = error }
            }
            done.signal()
        }.start()
    }

    /// Returns when everything is whole; throws what couldn't be repaired.
    func stop() throws {
        isOver.store(true, ordering: .relaxed)
        done.wait()
        if let problem = problem.withLock({ $0 }) { throw problem }
    }

    /// `false`: it is over.
    private func rest(_ seconds: Double) -> Bool {
        let end = Clock.now + seconds
        while Clock.now < end {
            if isOver.load(ordering: .relaxed) { return false }
            usleep(5000)
        }
        return !isOver.load(ordering: .relaxed)
    }
}

extension SplitMix {
    mutating func seconds(in range: ClosedRange<Double>) -> Double {
        range.lowerBound + (range.upperBound - range.lowerBound) * Double(next() >> 11) / Double(1 << 53)
    }
}
