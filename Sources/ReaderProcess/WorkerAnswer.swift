import ReaderProtocol
import Vocabulary

/// Sends the symbols of one frame or picture within the protocol's limits.
struct WorkerAnswer {
    let ticket: UInt64
    let send: (ReaderAnswer) -> Bool
    private var sent = 0
    private var omitted = 0

    init(ticket: UInt64, send: @escaping (ReaderAnswer) -> Bool) {
        self.ticket = ticket
        self.send = send
    }

    /// `false` when the station is gone; all functions here return this.
    private mutating func add(_ symbols: [Symbol]) -> Bool {
        for symbol in symbols {
            let answer = ReaderAnswer.symbol(ticket: ticket, symbol)
            guard sent < ReaderLimits.maxSymbolsPerFrame, answer.encode() != nil else {
                omitted += 1
                continue
            }
            guard send(answer) else { return false }
            sent += 1
        }
        return true
    }

    /// Sends what an unfinished read considers right so far.
    mutating func stand(_ symbols: [Symbol]) -> Bool {
        add(symbols) && send(.standing(ticket: ticket, symbolCount: sent))
    }

    /// Sends what was found, and the end.
    mutating func finish(
        _ symbols: [Symbol], nanoseconds: Int64, isLadderOver: Bool = false, unread: [UnreadCode] = [],
        places: [CodePlace] = [], refuted: [RefutedCode] = []
    ) -> Bool {
        guard add(symbols) else { return false }
        let summary = ReaderAnswer.Summary(
            symbolCount: sent, omittedCount: omitted, decodeNanoseconds: UInt64(max(0, nanoseconds)),
            isLadderOver: isLadderOver, unread: unread, places: places, refuted: refuted)
        return send(.done(ticket: ticket, summary))
    }
}
