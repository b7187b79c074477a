import ConsoleAccess
import Linux
import Vocabulary
import Wire

/// Who may: the password, sessions, links and tokens, over the machines that decide and the files that stay.
///
/// Hashing a password takes long on purpose, so it has a thread of its own, on which one is hashed at a time.
package actor Gatekeeper {
    package enum SignIn: Hashable, Sendable {
        /// The cookie's value.
        case signedIn(String)
        case wrong
        case wait(Duration)
        case noPassword
        case failed(String)
    }

    /// A queue of people who try passwords can't grow beyond this.
    private static let mostWaiting = 8

    private let password: PasswordFile
    private let folder: ConsoleFolder
    private let links: LinkKeys
    private let hashing = HashingThread()
    private var sessions: SessionMachine
    private var tries: TryMachine
    private var book = TokenBook()
    private var hasReadBook = false
    private var waiting = 0
    /// The password's hash when it was looked at last; `nil`: not yet.
    private var seen: PasswordHash??
    private let clock = MachineClock.system

    package init(
        _ folder: ConsoleFolder, sessions: SessionMachine.Limits = .init(), tries: TryMachine.Limits = .init()
    ) {
        self.folder = folder
        password = PasswordFile(folder)
        links = LinkKeys(folder)
        self.sessions = SessionMachine(limits: sessions)
        self.tries = TryMachine(limits: tries)
    }

    // MARK: Password and links

    /// Whether one is set. A file that can't be read counts as one: nothing is opened to the network or left without a lock by a disk error.
    package var isPasswordSet: Bool {
        do { return try password.read() != nil } catch { return true }
    }

    /// Whether the password was set, changed or removed by somebody else than this console, since the last time that this was asked: then
    /// everybody is signed out.
    package func noticePassword() -> Bool {
        guard let stored = try? Optional(password.read()) else { return false }
        defer { seen = .some(stored) }
        guard let seen, seen != stored else { return false }
        sessions.endAll()
        return true
    }

    package func signIn(password text: String, from peer: Peer) async -> SignIn {
        let stored: PasswordHash
        do {
            guard let hash = try password.read() else { return .noPassword }
            stored = hash
        } catch { return .failed(error.description) }
        guard waiting < Self.mostWaiting else { return .wait(.seconds(2)) }
        if case .wait(let duration) = tries.attempt(.password, from: peer, at: clock.now) { return .wait(duration) }
        waiting += 1
        let isRight = await hashing.run { stored.matches(text) }
        waiting -= 1
        return isRight ? begin(peer) : .wrong
    }

    package func signIn(key: String, from peer: Peer) -> SignIn {
        if case .wait(let duration) = tries.attempt(.key, from: peer, at: clock.now) { return .wait(duration) }
        return links.use(key, at: clock.now) ? begin(peer) : .wrong
    }

    /// Throws an `AccessError` if its file can't be written.
    package func makeLink(lifetime: Duration? = LinkKeys.lifetime) throws -> String {
        try links.make(at: clock.now, lifetime: lifetime)
    }

    package enum Change: Hashable, Sendable {
        case changed
        case wrongOld
        case refused(String)
        case wait(Duration)
        case failed(String)
    }

    /// Everybody else is signed out.
    package func setPassword(_ text: String, old: String?, by visitor: Visitor, from peer: Peer) async -> Change {
        do {
            if let stored = try password.read() {
                guard let old else { return .wrongOld }
                if case .wait(let duration) = tries.attempt(.password, from: peer, at: clock.now) {
                    return .wait(duration)
                }
                guard await hashing.run({ stored.matches(old) }) else { return .wrongOld }
                tries.succeeded(peer)
            }
        } catch { return .failed(error.description) }
        switch await hashing.run({ Result { () throws(AccessError) in try PasswordHash(password: text) } }) {
        case .failure(let error): return .refused(error.description)
        case .success(let hash):
            do {
                try password.write(hash)
                seen = .some(hash)
            } catch { return .failed(error.description) }
        }
        if case .session(let hash) = visitor.kind { sessions.endAll(except: hash) } else { sessions.endAll() }
        links.removeAll()
        return .changed
    }

    package enum First: Sendable {
        /// With the cookie's value: who has set it is signed in.
        case set(String)
        case isSet
        case notAllowed(APIError)
        case refused(String)
        case failed(String)
    }

    /// Sets a password where there is none.
    ///
    /// - Parameter permit: asks for the permission, which is used up by that: so only for a password that can be taken.
    package func setFirstPassword(
        _ text: String, from peer: Peer, permit: @Sendable () async throws(APIError) -> Void
    ) async -> First {
        guard !isPasswordSet else { return .isSet }
        guard waiting < Self.mostWaiting else { return .failed("too many passwords are being checked: try again") }
        waiting += 1
        let made = await hashing.run { Result { () throws(AccessError) in try PasswordHash(password: text) } }
        waiting -= 1
        let hash: PasswordHash
        switch made {
        case .failure(let error): return .refused(error.description)
        case .success(let value): hash = value
        }
        do throws(APIError) { try await permit() } catch { return .notAllowed(error) }
        // Meanwhile somebody may have set one on the command line.
        guard !isPasswordSet else { return .isSet }
        do throws(AccessError) { try password.write(hash) } catch { return .failed(error.description) }
        seen = .some(hash)
        sessions.endAll()
        links.removeAll()
        return switch begin(peer) {
        case .signedIn(let cookie): .set(cookie)
        case .wrong, .wait, .noPassword: .failed("the password is set; sign in with it")
        case .failed(let why): .failed("the password is set, but you aren't signed in: \(why)")
        }
    }

    private func begin(_ peer: Peer) -> SignIn {
        do {
            let cookie = try Secrets.key()
            tries.succeeded(peer)
            sessions.begin(Secrets.hash(cookie), at: clock.now)
            return .signedIn(cookie)
        } catch { return .failed(error.description) }
    }

    // MARK: Visitors

    package func visitor(cookie: String) -> Visitor? {
        guard cookie.utf8.count <= 64 else { return nil }
        let hash = Secrets.hash(cookie)
        return sessions.isSignedIn(hash, at: clock.now) ? Visitor(kind: .session(hash), scopes: Scope.all) : nil
    }

    package enum TokenVisitor: Hashable, Sendable {
        case visitor(Visitor)
        case refused(String)
    }

    package func visitor(token: String) -> TokenVisitor {
        do { try readBook() } catch { return .refused(error.description) }
        guard token.utf8.count <= 128 else { return .refused("the token is too long to be one of this console's") }
        switch book.find(token, at: clock.wallNanoseconds) {
        case .valid(let token): return .visitor(Visitor(kind: .token(token.id), scopes: token.scopes))
        case .expired(let token): return .refused("the token \"\(token.name)\" is out of date: make a new one")
        case .unknown: return .refused("no such token: it was deleted, or belongs to another station")
        }
    }

    /// Whether somebody who came in may still be here; it doesn't count as a request.
    package func isStillIn(_ visitor: Visitor) -> Bool {
        switch visitor.kind {
        case .session(let hash): sessions.isAlive(hash, at: clock.now)
        case .token(let id):
            book.tokens.contains { $0.id == id && ($0.expires.map { clock.wallNanoseconds < $0 } ?? true) }
        }
    }

    package func signOut(_ visitor: Visitor) {
        if case .session(let hash) = visitor.kind { sessions.end(hash) }
    }

    /// Links that wait are void, too. Tokens stay.
    package func signOutEverywhere() {
        sessions.endAll()
        links.removeAll()
    }

    // MARK: Tokens

    /// Throws an `AccessError` if their file can't be read.
    package func tokens() throws -> [TokenBook.Token] {
        try readBook()
        return book.tokens
    }

    /// The token itself is shown here, and never again. Throws an `AccessError` if there are too many, or they can't be kept.
    package func addToken(name: String, scopes: Set<Scope>, expires: Int64?) throws -> (
        secret: String, token: TokenBook.Token
    ) {
        try readBook()
        let secret = TokenBook.prefix + (try Secrets.key())
        let token = TokenBook.Token(
            id: String(try Secrets.key().prefix(12)), name: name, scopes: scopes, created: clock.wallNanoseconds,
            expires: expires, hash: Secrets.hash(secret))
        var changed = book
        try changed.add(token)
        try folder.writeTokens(changed.bytes)
        book = changed
        return (secret, token)
    }

    /// Whether there was one. Throws an `AccessError` if the file can't be written; the token stays then.
    package func removeToken(_ id: String) throws -> Bool {
        try readBook()
        var changed = book
        guard changed.remove(id) else { return false }
        try folder.writeTokens(changed.bytes)
        book = changed
        return true
    }

    private func readBook() throws(AccessError) {
        guard !hasReadBook else { return }
        if let bytes = try folder.readTokens() { book = try TokenBook(parsing: bytes) }
        hasReadBook = true
    }
}

/// One thread's worth of hashing.
private struct HashingThread {
    private let executor = QueueExecutor(label: "console.hashing", qos: .utility)

    func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await Worker(executor).run(work)
    }

    private actor Worker {
        private let executor: QueueExecutor
        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

        init(_ executor: QueueExecutor) { self.executor = executor }

        func run<Value: Sendable>(_ work: @Sendable () -> Value) -> Value { work() }
    }
}
