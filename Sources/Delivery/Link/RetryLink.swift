/// What an output knows about its link: when to try it again, and the timer for that. See `RelinkingOutput`.
struct RetryLink {
    var machine: RetryMachine
    var timer: Int?

    /// The policy sets no limit: a cable, a host or a disk may come back at any time.
    init(policy: RetryMachine.Policy) {
        machine = RetryMachine(policy: policy, seed: UInt64.random(in: .min ... .max))
    }
}
