/// What an output takes as a receipt.
package enum ReceiptKind: String, CaseIterable, Hashable, Sendable {
    /// The bytes were handed to the operating system. With the cable off that still succeeds.
    case written
    /// The receiver answered.
    case ack
}
