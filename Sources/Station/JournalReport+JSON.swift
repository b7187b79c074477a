import Journal
import Wire

extension JournalReport {
    /// As `ctl status` shows it; what each output has yet to get is listed with the outputs.
    var json: JSONValue {
        var fields: [String: JSONValue] = [
            "id": .string(id), "state": .string(state.name), "first": .count(first), "last": .count(last),
            "scans": .count(scans), "bytes": .count(bytes),
        ]
        if let path { fields["path"] = .string(path) }
        if let detail = state.detail { fields["detail"] = .string(detail) }
        if let warning { fields["warning"] = .string(warning) }
        if let setAside { fields["setAside"] = .string(setAside) }
        return .object(fields)
    }
}
