import Linux
import Vocabulary

/// An output that opens something (a device, a connection, a file), and opens it again with growing waits whenever it is lost.
protocol RelinkingOutput: Actor {
    nonisolated var loop: EventLoop { get }
    var link: RetryLink { get set }

    /// Opens it. Feeds `succeeded` or `failed` in the end, at once or later.
    func attemptLink()
}

/// One whose link is a connection to the first of several addresses that answers.
protocol RacingOutput: RelinkingOutput {
    associatedtype Socket
    associatedtype Problem: Error
    /// As long as it connects.
    var race: AddressRace<Socket, Problem>? { get set }
}

extension RacingOutput {
    func endRace() {
        race?.cancel()
        race = nil
    }

    /// After a change of the network: an attempt that is under way may have begun without one, and the kernel's own next try may be
    /// many seconds away.
    func knockAgain() {
        guard race != nil else { return }
        endRace()
        attemptLink()
    }
}

extension RelinkingOutput {
    func feedLink(_ event: RetryMachine.Event) {
        for action in link.machine.handle(event, at: Instant.now) {
            switch action {
            case .attempt: attemptLink()
            case .wakeAt(let instant):
                link.timer.map(loop.cancelTimer)
                link.timer = instant.map { instant in
                    loop.setTimer(at: instant) {
                        self.assumeIsolated {
                            $0.link.timer = nil
                            $0.feedLink(.timer)
                        }
                    }
                }
            case .exhausted: break
            }
        }
    }

    /// What was open is gone. The next attempt comes after a wait, so that something that opens and fails at once can't spin;
    /// an attempt that is under way has failed, and its waits go on growing.
    func linkLost() {
        _ = link.machine.handle(.begin, at: Instant.now)
        feedLink(.failed)
    }

    /// From now on with other waits, beginning with the shortest. Nothing that was waited for comes any more.
    func resetLink(policy: RetryMachine.Policy) {
        link.timer.map(loop.cancelTimer)
        link = RetryLink(policy: policy)
    }
}
