import Settings

/// Which scans of the journal a client wants to see; each condition that is there must hold.
package struct ScanQuery: Hashable, Sendable {
    package static let limits = 1...200

    /// Scans with a smaller sequence; `nil`: from the newest on.
    package var before: UInt64?
    package var limit: Int
    /// Part of the text, upper and lower case being the same; or the scan's whole id.
    package var text: String?
    /// The payload's kind: `url`.
    package var kind: String?
    package var symbology: String?
    /// Nanoseconds since 1970, `from` included.
    package var from: Int64?
    package var to: Int64?
    /// What any output said of it.
    package var receipt: ReceiptEvent.Outcome?
    /// What the client may see of secrets. Not on the wire: the socket says so.
    package var secrets: SecretPolicy

    package init(
        before: UInt64? = nil, limit: Int = 50, text: String? = nil, kind: String? = nil, symbology: String? = nil,
        from: Int64? = nil, to: Int64? = nil, receipt: ReceiptEvent.Outcome? = nil,
        secrets: SecretPolicy
    ) {
        self.before = before
        self.limit = limit
        self.text = text
        self.kind = kind
        self.symbology = symbology
        self.from = from
        self.to = to
        self.receipt = receipt
        self.secrets = secrets
    }

    /// Whether this is one of them, whatever outputs said of it. A text that is withheld isn't searched, or it could be guessed piece by piece.
    package func fits(_ event: Event) -> Bool {
        guard case .scan(let body) = event.body else { return false }
        let symbol = body.scan.symbol
        if let kind, body.payload.kind != kind { return false }
        if let symbology, symbol.symbology.rawValue != symbology { return false }
        let time = event.stamp.wallNanoseconds
        if let from, time < from { return false }
        if let to, time >= to { return false }
        guard let text, !text.isEmpty else { return true }
        let wanted = text.lowercased()
        let shown = secrets == .withheld && body.payload.holdsSecret ? nil : symbol.text
        return shown?.lowercased().contains(wanted) == true || body.scan.id == text
    }
}

extension Command {
    /// The same for a client that may see this of secrets.
    package func shown(_ secrets: SecretPolicy) -> Command {
        switch self {
        case .scans(var query):
            query.secrets = secrets
            return .scans(query)
        case .scan(let id, _): return .scan(id: id, secrets: secrets)
        default: return self
        }
    }
}
