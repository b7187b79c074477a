import Glibc
import Linux
import Synchronization

/// The terminal as a full screen: raw keys, the alternate screen, no cursor; `restore` undoes all of it.
///
/// The key reader has a thread of its own, because reading blocks; keys come out of `keys` in order.
final class Terminal: Sendable {
    let keys: AsyncStream<UInt8>
    let isColoured = Paint.forTerminal(true).isColoured
    private let original: termios
    private let keySink: AsyncStream<UInt8>.Continuation
    private let shown = Mutex(Picture())

    private struct Picture {
        var lines: [String] = []
        var columns = 0
        var rows = 0
    }

    /// `nil` when standard input or output isn't a terminal, or is one that can't move its cursor.
    init?() {
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else { return nil }
        guard let kind = Environment.value("TERM"), kind != "dumb" else { return nil }
        var settings = termios()
        guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return nil }
        original = settings
        // Keys come one by one, without echo; Ctrl-C stays with the kernel. Ctrl-S and Ctrl-Z would freeze a station that holds a camera
        // and lit lines.
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
        settings.c_iflag &= ~tcflag_t(IXON)
        withUnsafeMutableBytes(of: &settings.c_cc) { $0[Int(VSUSP)] = 0 }
        tcsetattr(STDIN_FILENO, TCSANOW, &settings)
        (keys, keySink) = AsyncStream.makeStream(of: UInt8.self, bufferingPolicy: .bufferingNewest(64))
        // No line wrap: a character that is wider than we think must not push the lines below.
        Console.write("\u{1b}[?1049h\u{1b}[?25l\u{1b}[?7l", to: STDOUT_FILENO)
        startReading()
    }

    func restore() {
        var settings = original
        tcsetattr(STDIN_FILENO, TCSANOW, &settings)
        Console.write("\u{1b}[?7h\u{1b}[?25h\u{1b}[?1049l", to: STDOUT_FILENO)
    }

    static let clearLine = "\u{1b}[2K"

    /// Moves the cursor within its line; columns count from 1.
    static func column(_ number: Int) -> String { "\u{1b}[\(number)G" }

    var size: (columns: Int, rows: Int) {
        var window = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0 else {
            return (80, 24)
        }
        return (Int(window.ws_col), Int(window.ws_row))
    }

    /// Shows these lines, each as wide as the terminal. Lines that haven't changed aren't drawn again.
    func draw(_ lines: [String]) {
        let (columns, rows) = size
        let text = shown.withLock { shown in
            var text = ""
            if shown.columns != columns || shown.rows != rows {
                text = "\u{1b}[2J"
                shown.lines = []
            }
            for (index, line) in lines.enumerated() where index >= shown.lines.count || shown.lines[index] != line {
                text += "\u{1b}[\(index + 1);1H" + line
            }
            shown = Picture(lines: lines, columns: columns, rows: rows)
            return text
        }
        // Mode 2026: terminals that know it show the whole picture at once; the others ignore it.
        if !text.isEmpty { Console.write("\u{1b}[?2026h\(text)\u{1b}[?2026l", to: STDOUT_FILENO) }
    }

    private func startReading() {
        let context = Unmanaged.passRetained(KeySink(keySink)).toOpaque()
        var thread = pthread_t()
        if pthread_create(&thread, nil, readKeys, context) == 0 { pthread_detach(thread) }
    }
}

private final class KeySink: Sendable {
    let continuation: AsyncStream<UInt8>.Continuation
    init(_ continuation: AsyncStream<UInt8>.Continuation) { self.continuation = continuation }
}

/// Runs until standard input ends; the process's exit ends it otherwise.
private func readKeys(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    let sink = Unmanaged<KeySink>.fromOpaque(context).takeRetainedValue()
    var key: UInt8 = 0
    while true {
        let count = uninterrupted { read(STDIN_FILENO, &key, 1) }
        if count == 1 {
            sink.continuation.yield(key)
        } else {
            sink.continuation.finish()
            return nil
        }
    }
}
