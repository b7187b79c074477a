import Logging
import Vocabulary

/// A logger that a flood of one kind of line can't fill the journal with.
struct RateLimitedLog: Sendable {
    var logger: Logger
    private var limit: LogRateLimit

    init(_ logger: Logger, maxPerSecond: Int) {
        self.logger = logger
        limit = LogRateLimit(maxPerSecond: maxPerSecond)
    }

    /// The settings changed.
    mutating func update(level: Logger.Level, maxPerSecond: Int) {
        logger.logLevel = level
        if maxPerSecond != limit.maxPerSecond { limit = LogRateLimit(maxPerSecond: maxPerSecond) }
    }

    mutating func write(_ level: Logger.Level, kind: String, _ text: String, at now: Instant) {
        guard level >= logger.logLevel, case .write(let missed) = limit.admit(kind: kind, at: now) else { return }
        logger.log(level: level, "\(kind): \(text)", metadata: missed > 0 ? ["heldBack": "\(missed)"] : nil)
    }
}
