import ConsoleAccess
import Vocabulary

/// Which browser has which code. What becomes of a code is decided in the station (`FirstPasswordMachine`), where the button and the camera
/// are; this only knows whose it is: by a cookie of its own, whose hash is kept.
actor FirstPasswordDesk {
    struct Claim: Hashable, Sendable {
        let code: FirstPasswordCode
        let cookie: String
        /// What the same browser had before.
        let before: FirstPasswordCode?
    }

    enum Asking: Hashable, Sendable {
        case claim(Claim)
        case wait(Duration)
        case failed(String)
    }

    /// As many as the station remembers, and more.
    static let most = 16

    private var codes: [(browser: [UInt8], code: FirstPasswordCode)] = []
    private var tries: TryMachine
    private let now: @Sendable () -> Instant

    init(tries: TryMachine.Limits = .init(), now: @escaping @Sendable () -> Instant = { .now }) {
        self.tries = TryMachine(limits: tries)
        self.now = now
    }

    func code(of cookies: [String]) -> FirstPasswordCode? {
        for cookie in cookies where cookie.utf8.count <= 64 {
            let browser = Secrets.hash(cookie)
            if let found = codes.last(where: { Secrets.areEqual($0.browser, browser) }) { return found.code }
        }
        return nil
    }

    /// A new code, for a new cookie: nobody can bring a cookie of his own making.
    func ask(_ cookies: [String], from peer: Peer) -> Asking {
        if case .wait(let duration) = tries.attempt(.key, from: peer, at: now()) { return .wait(duration) }
        do throws(AccessError) {
            let before = code(of: cookies)
            guard let code = FirstPasswordCode(digits: try Secrets.key()) else { return .failed("no code was made") }
            let cookie = try Secrets.key()
            codes.removeAll { $0.code == before }
            codes.append((Secrets.hash(cookie), code))
            if codes.count > Self.most { codes.removeFirst() }
            return .claim(Claim(code: code, cookie: cookie, before: before))
        } catch { return .failed(error.description) }
    }

    func forget(_ code: FirstPasswordCode) { codes.removeAll { $0.code == code } }
}
