/// Why a station can't start or go on: what was tried, what happened, what to do.
package struct StationError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Kind: Hashable, Sendable {
        /// The settings can't work.
        case configuration
        /// Something that the station needs isn't there or is taken.
        case unavailable
        /// The camera hangs or doesn't recover; only another process can help.
        case needsNewProcess
    }

    package var kind: Kind
    package var message: String

    package init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }

    package var description: String { message }
}

/// Holds the first reason why the station can't go on, for its owner. One reader.
struct FailureReport: Sendable {
    let reasons: AsyncStream<StationError>
    private let sink: AsyncStream<StationError>.Continuation

    init() { (reasons, sink) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(1)) }

    func tell(_ reason: StationError) { sink.yield(reason) }

    /// No reason will follow.
    func finish() { sink.finish() }
}
