import Vocabulary

/// What a host that answers with bytes may still answer, from connections that have ended: behind a serial device server, the answer comes on the
/// next one, or all of them come when the network is back. So only time in which the host could be heard counts, and only silence.
///
/// The host's word: before it was silent for `limit`, it has answered what it was sent on earlier connections and what it was sent there and
/// here, or never will. Of other scans, answers on the connection on which they were sent may take any time. A network that fails without a sign for
/// most of `limit`, and comes back, breaks this word.
package struct Debts: Hashable, Sendable {
    package private(set) var ledger: OfferLedger
    /// How long the host was connected, in all, since it was last sent something or said something.
    package private(set) var silence: Duration

    package init(_ ledger: OfferLedger, silence: Duration = .zero) {
        self.ledger = ledger
        self.silence = silence
    }

    package mutating func merge(_ other: Debts) {
        ledger.merge(other.ledger)
        silence = min(silence, other.silence)
    }

    /// Silence on one connection after which nothing comes any more is an output's `answerLimit`; over several it is so many times that, so that
    /// a host that closes its connections early doesn't owe for ever.
    static let connections = 6
}
