/// What an output takes as a receipt.
package enum ReceiptKind: String, CaseIterable, Hashable, Sendable {
    /// The bytes were handed to the operating system. That succeeds even with the cable unplugged.
    case written
    /// The receiver answered.
    case ack
}
