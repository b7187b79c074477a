import Glibc

/// Progress of something long, as one line on standard error, if that is a terminal.
struct LineProgress {
    /// Shorter runs are over before anybody has read it.
    static let fewItems: UInt64 = 2000

    let what: String
    private let isShown: Bool

    init(_ what: String, isShown: Bool = Console.isErrorTerminal) {
        self.what = what
        self.isShown = isShown
    }

    func show(_ done: UInt64, of total: UInt64) {
        guard isShown, total >= Self.fewItems else { return }
        guard done < total else { return clear() }
        Console.write("\r\(done) of \(total) \(what) (\(done * 100 / total) %)\u{1b}[K", to: STDERR_FILENO)
    }

    /// Clears the line, for other text.
    func clear() { if isShown { Console.write("\r\u{1b}[K", to: STDERR_FILENO) } }
}
