import Glibc
import Vocabulary

/// Progress of a run over more than a handful of pictures: on a terminal one line that is overwritten, else a line every ten seconds, so
/// that a long run shows in a log without filling it.
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

    /// What to write to standard error now; `nil`: nothing.
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

    /// Clears the line, for other text.
    var clearing: String? { place == .terminal ? "\r\u{1b}[K" : nil }
}
