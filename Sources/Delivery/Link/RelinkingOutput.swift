import Linux
import Vocabulary

/// An output that opens something (a device, a connection, a file) and, whenever it is lost, opens it again with growing waits.
protocol RelinkingOutput: Actor {
    nonisolated var loop: EventLoop { get }
    var link: RetryLink { get set }

    /// Opens it. Feeds `succeeded` or `failed` in the end, at once or later.
    func attemptLink()
}

/// An output whose link is a connection to the first of several addresses that answers.
protocol RacingOutput: RelinkingOutput {
    associatedtype Socket
    associatedtype Problem: Error
    /// Set while it connects.
    var race: AddressRace<Socket, Problem>? { get set }
}

extension RacingOutput {
    func endRace() {
        race?.cancel()
        race = nil
    }

    /// After a change of the network: the attempt under way may have begun without a network, and the kernel's own next try may be many
    /// seconds away.
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

    /// What was open is gone. The next attempt comes after a wait, so that something that opens and fails at once can't spin. An attempt
    /// under way has failed, and its waits go on growing.
    func linkLost() {
        _ = link.machine.handle(.begin, at: Instant.now)
        feedLink(.failed)
    }

    /// Uses other waits from now on, beginning with the shortest. The current wait is cancelled.
    func resetLink(policy: RetryMachine.Policy) {
        link.timer.map(loop.cancelTimer)
        link = RetryLink(policy: policy)
    }
}
