import Journal
import Wire

extension ReceiptEvent.Outcome {
    /// What the journal has on record, as an event.
    init(_ outcome: Settlement.Outcome) {
        switch outcome {
        case .refused: self = .refused
        case .skipped: self = .skipped
        case .undeliverable: self = .undeliverable
        }
    }
}
