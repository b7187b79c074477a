import Vocabulary

/// What a service tells its manager: lines of `NAME=value` in one datagram (sd_notify(3)).
package enum ServiceMessage: Hashable, Sendable {
    case ready
    /// - Parameter monotonicMicroseconds: CLOCK_MONOTONIC.
    case reloading(monotonicMicroseconds: Int64)
    case stopping
    case keepAlive
    /// One line for people.
    case status(String)

    /// Longer ones are cut; `systemctl status` shows one line.
    static let longestStatus = 400

    /// The datagram for these.
    package static func datagram(_ messages: [ServiceMessage]) -> String {
        messages.map(\.text).joined(separator: "\n")
    }

    private var text: String {
        switch self {
        case .ready: "READY=1"
        case .reloading(let moment): "RELOADING=1\nMONOTONIC_USEC=\(moment)"
        case .stopping: "STOPPING=1"
        case .keepAlive: "WATCHDOG=1"
        case .status(let text): "STATUS=\(Self.oneLine(text))"
        }
    }

    /// A line feed would begin another assignment: no camera name and no code may say READY=1.
    private static func oneLine(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.prefix(longestStatus).map { $0.value < 0x20 || $0.value == 0x7F ? " " : $0 }))
    }
}
