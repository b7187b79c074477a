import Vocabulary

/// A client's line. It may wait while another command is carried out; which scan an answer belongs to goes by when it came.
package struct ReceivedLine: Hashable, Sendable {
    package var bytes: [UInt8]
    package var at: Instant

    package init(_ bytes: [UInt8], at: Instant) {
        self.bytes = bytes
        self.at = at
    }
}
