/// The state of an output, with what a person should know about it.
package struct OutputStatus: Hashable, Sendable {
    package var state: OutputState
    /// Why it isn't ready, and what to do.
    package var detail: String?

    package init(_ state: OutputState, detail: String? = nil) {
        self.state = state
        self.detail = detail
    }
}

/// What an output is doing, by its name on the wire.
package enum OutputState: String, CaseIterable, Hashable, Sendable {
    /// Not started yet.
    case idle
    /// A connection is being made; nothing is wrong yet.
    case connecting
    /// The device is open.
    case ready
    /// The device is missing, taken or gone; it is tried again with back-off.
    case waiting
    /// The device is open but takes nothing at the moment: flow control, or a pipe that nobody reads.
    case stalled
    /// It won't work again without a person or a restart.
    case failed
    case stopped
}
