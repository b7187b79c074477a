import Payloads
import Settings
import Vocabulary

/// The values of an event's fields: its line of JSON and templates both read them here. `nil`: there is none.
extension Stamp {
    package func value(of field: StampField) -> FieldValue? {
        switch field {
        case .time: .text(WallTime.rfc3339(nanoseconds: wallNanoseconds))
        case .station: .text(station)
        }
    }
}

extension ScanEvent {
    package func value(of field: ScanField) -> FieldValue? {
        switch field {
        case .id: .text(scan.id)
        case .seq: .unsigned(scan.sequence)
        case .session: .unsigned(scan.session)
        case .journal: journal.isEmpty ? nil : .text(journal)
        case .trigger: .text(scan.trigger.rawValue)
        }
    }
}

extension Symbol {
    /// - Parameter isWithheld: the code holds a secret that may not be shown.
    package func value(of field: SymbolField, isWithheld: Bool) -> FieldValue? {
        switch field {
        case .text: isWithheld ? nil : text.map(FieldValue.text)
        case .bytes: .bytes(isWithheld ? [] : bytes)
        case .aim: .text(aim)
        case .symbology: .text(symbology.rawValue)
        case .addOn: addOn.map(FieldValue.text)
        }
    }
}
