import Glibc
import Vocabulary

/// How far a run over more than a handful of pictures is: a line that is written over on a terminal, else a line every ten seconds,
/// so that a log tells of a long run without being filled by it.
struct PictureProgress {
    static let fewPictures = 4
    static let logInterval: Duration = .seconds(10)

    enum Place { case terminal, log, none }

    let total: Int
    let place: Place
    private var toldAt: Instant

    init(total: Int, isTerminal: Bool, at now: Instant) {
        self.total = total
        place = total <= Self.fewPictures ? .none : isTerminal ? .terminal : .log
        toldAt = now
    }

    /// What is to be written to standard error now; `nil`: nothing.
    mutating func text(done: Int, codes: Int, at now: Instant) -> String? {
        guard done < total else { return nil }
        let text = "\(done) of \(total.counted("picture")), \(codes.counted("code"))"
        switch place {
        case .none: return nil
        case .terminal: return "\r\(text)\u{1b}[K"
        case .log:
            guard toldAt.duration(to: now) >= Self.logInterval else { return nil }
            toldAt = now
            return text + "\n"
        }
    }

    /// Makes room for another line.
    var clearing: String? { place == .terminal ? "\r\u{1b}[K" : nil }
}
