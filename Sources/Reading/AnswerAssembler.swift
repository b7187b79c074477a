import ReaderProtocol
import Vocabulary

/// Puts the packets of one answer together, and checks them against the request.
struct AnswerAssembler {
    enum Step {
        case incomplete
        case complete([Symbol], ReaderAnswer.Summary)
        /// The frame or picture was not read, for this reason.
        case refused(String)
        /// The picture could be opened.
        case opened(FrameSize)
        case pass(Int)
        /// Part of the picture is missing or wrong.
        case damaged(String)
        /// Not an answer to the request.
        case garbage
    }

    private var ticket: UInt64?
    private var symbols: [Symbol] = []
    /// What an exhaustive read has found so far.
    private(set) var standing: [Symbol] = []

    /// A request was sent.
    mutating func expect(ticket: UInt64) {
        self.ticket = ticket
        symbols = []
        standing = []
    }

    mutating func take(_ answer: ReaderAnswer) -> Step {
        switch answer {
        case .symbol(ticket, let symbol) where symbols.count < ReaderLimits.maxSymbolsPerFrame:
            symbols.append(symbol)
            return .incomplete
        case .done(ticket, let summary) where summary.symbolCount == symbols.count:
            ticket = nil
            return .complete(symbols, summary)
        case .standing(ticket, let count) where count == symbols.count:
            standing = symbols
            symbols = []
            return .incomplete
        case .refused(ticket, let reason):
            ticket = nil
            return .refused(reason)
        case .opened(ticket, let size): return .opened(size)
        case .damaged(ticket, let damage): return .damaged(damage)
        case .pass(ticket, let number): return .pass(number)
        default: return .garbage
        }
    }
}
