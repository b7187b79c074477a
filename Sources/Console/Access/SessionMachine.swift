import Vocabulary

/// The browsers that are signed in, by the hashes of their cookies.
///
/// A session ends 12 h after its last request, 30 days after it began, when it signs out, and when everybody is signed out. Sessions
/// live in memory: a console that is started again asks everybody to sign in again.
package struct SessionMachine {
    package struct Limits: Hashable, Sendable {
        package var idle: Duration = .seconds(12 * 3600)
        package var longest: Duration = .seconds(30 * 86_400)
        /// The one that was idle longest goes first.
        package var most = 64

        package init() {}
    }

    private struct Session {
        var began: Instant
        var lastSeen: Instant
    }

    private let limits: Limits
    private var sessions: [[UInt8]: Session] = [:]

    package init(limits: Limits = Limits()) { self.limits = limits }

    package var count: Int { sessions.count }

    package mutating func begin(_ hash: [UInt8], at now: Instant) {
        guard !hash.isEmpty else { return }
        drop(at: now)
        while sessions.count >= max(limits.most, 1),
            let oldest = sessions.min(by: { $0.value.lastSeen < $1.value.lastSeen })
        {
            sessions[oldest.key] = nil
        }
        sessions[hash] = Session(began: now, lastSeen: now)
    }

    /// Whether this one is signed in; that counts as its being seen.
    package mutating func isSignedIn(_ hash: [UInt8], at now: Instant) -> Bool {
        guard let session = sessions[hash] else { return false }
        guard isAlive(session, at: now) else {
            sessions[hash] = nil
            return false
        }
        sessions[hash]?.lastSeen = now
        return true
    }

    /// The same, without counting.
    package func isAlive(_ hash: [UInt8], at now: Instant) -> Bool {
        sessions[hash].map { isAlive($0, at: now) } ?? false
    }

    package mutating func end(_ hash: [UInt8]) { sessions[hash] = nil }

    /// - Parameter hash: stays, if there is one.
    package mutating func endAll(except hash: [UInt8]? = nil) { sessions = sessions.filter { $0.key == hash } }

    private mutating func drop(at now: Instant) { sessions = sessions.filter { isAlive($0.value, at: now) } }

    private func isAlive(_ session: Session, at now: Instant) -> Bool {
        session.lastSeen.duration(to: now) < limits.idle && session.began.duration(to: now) < limits.longest
    }
}
