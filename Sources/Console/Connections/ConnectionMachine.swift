import Vocabulary

/// How long one connection may take, and how much it may send: a client that is slow on purpose loses it.
///
/// ```
/// idle ─ first byte ─▶ head ─ head ─▶ body ─ end ─▶ answering ─ answered ─▶ idle
/// ```
/// A client may send its next request early, and an answer may come before the end of a body that is refused: so what is being read and
/// what waits for its answer are counted apart. A streamed answer may last; a peer that takes nothing of it for `stall` may not.
package struct ConnectionMachine {
    package struct Limits: Hashable, Sendable {
        /// From the connection's begin, or the first byte of a later request, to the end of its headers.
        package var head: Duration = .seconds(10)
        /// The bytes of a head, with what was read beyond it at once; the parser's own limits are smaller, but have none for the path.
        package var headBytes = 98_304
        package var body: Duration = .seconds(20)
        /// What is read and thrown away of a body that was refused.
        package var bodyBytes = 1 << 20
        /// Between two requests.
        package var idle: Duration = .seconds(60)
        package var stall: Duration = .seconds(30)

        package init() {}
    }

    package enum Event: Hashable, Sendable {
        case opened
        case bytes(Int)
        case head
        case bodyEnd
        case answered
        /// Bytes wait because the peer takes none.
        case stalled
        case flows
        case timer
    }

    package enum Action: Hashable, Sendable {
        case wake(Instant)
        case close
    }

    private let limits: Limits
    private var isClosed = false
    private var isReadingHead = false
    private var isReadingBody = false
    private var unanswered = 0
    private var bytes = 0
    private var isFirst = true
    private var due: Instant?
    private var stallDue: Instant?

    package init(limits: Limits = Limits()) { self.limits = limits }

    /// No whole request waits for its answer: the connection may be closed for another one's sake. A body that comes slowly doesn't hold a place.
    package var isIdle: Bool { unanswered <= (isReadingBody ? 1 : 0) }

    package mutating func handle(_ event: Event, at now: Instant) -> [Action] {
        guard !isClosed else { return [] }
        switch event {
        case .opened: due = now.advanced(by: limits.head)
        case .bytes(let count):
            guard take(count, at: now) else { return close() }
        case .head:
            (isReadingHead, isReadingBody, isFirst, bytes) = (false, true, false, 0)
            unanswered += 1
            due = now.advanced(by: limits.body)
        case .bodyEnd:
            isReadingBody = false
            rest(at: now)
        case .answered:
            unanswered = max(unanswered - 1, 0)
            if !isReadingBody { rest(at: now) }
        case .stalled: stallDue = stallDue ?? now.advanced(by: limits.stall)
        case .flows: stallDue = nil
        case .timer:
            if [due, stallDue].contains(where: { $0.map { $0 <= now } ?? false }) { return close() }
        }
        return [due, stallDue].compactMap(\.self).min().map { [.wake($0)] } ?? []
    }

    /// Whether as many bytes may come.
    private mutating func take(_ count: Int, at now: Instant) -> Bool {
        if isReadingBody {
            bytes += count
            return bytes <= limits.bodyBytes
        }
        // Bytes that come while an answer is due wait in the kernel before long.
        guard unanswered == 0 else { return true }
        if !isReadingHead {
            (isReadingHead, bytes) = (true, 0)
            // The first head's time began with the connection.
            if !isFirst { due = now.advanced(by: limits.head) }
        }
        bytes += count
        return bytes <= limits.headBytes
    }

    private mutating func rest(at now: Instant) {
        due = unanswered == 0 ? now.advanced(by: limits.idle) : nil
    }

    private mutating func close() -> [Action] {
        isClosed = true
        return [.close]
    }
}
