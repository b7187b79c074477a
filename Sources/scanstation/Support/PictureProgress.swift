import Glibc

/// A progress line on standard error, when that is a terminal and there is more than a handful to do.
struct PictureProgress {
    static let fewPictures = 4

    let total: Int
    private let isShown: Bool

    init(total: Int) {
        self.total = total
        isShown = total > Self.fewPictures && Console.isErrorTerminal
    }

    func show(done: Int, found: Int) {
        guard isShown, done < total else { return }
        Console.write("\r\(done) of \(total) pictures, \(found) codes\u{1b}[K", to: STDERR_FILENO)
    }

    /// Makes room for another line.
    func clear() { if isShown { Console.write("\r\u{1b}[K", to: STDERR_FILENO) } }
}
