import ConsoleAccess
import HummingbirdCore
import Vocabulary
import Wire

/// The first password by the station's button and a code on the phone's screen: for browsers that aren't signed in, while no password is set.
struct FirstPasswordRoutes: Sendable {
    /// What a machine in the network may ask for while there is no password; from this machine itself, a link opens the rest.
    static let withoutPassword: Set<RouteTable.Operation> = [
        .readSession, .readOpenAPI, .askFirstPassword, .readFirstPassword, .setFirstPassword, .withdrawFirstPassword,
    ]

    private let questions: StationQuestions
    private let gatekeeper: Gatekeeper
    private let desk = FirstPasswordDesk()
    private let passwordWasSet: @Sendable () -> Void

    init(
        _ questions: StationQuestions, _ gatekeeper: Gatekeeper, _ passwordWasSet: @escaping @Sendable () -> Void
    ) {
        (self.questions, self.gatekeeper, self.passwordWasSet) = (questions, gatekeeper, passwordWasSet)
    }

    /// Why a machine gets nothing here; `nil`: it may ask.
    func refusal(_ operation: RouteTable.Operation, from peer: Peer) async -> APIError? {
        guard !peer.isThisMachine, !Self.withoutPassword.contains(operation), await !gatekeeper.isPasswordSet
        else { return nil }
        return APIError(
            403, "noPassword",
            "no password is set, so nothing is open to the network: set one with the station's button on the console's page, or with "
                + "`scanstation console password` on the station's machine")
    }

    func ask(_ incoming: Incoming) async throws(APIError) -> Response {
        try await requireFirst(incoming)
        let claim: FirstPasswordDesk.Claim
        switch await desk.ask(incoming.cookies(named: FirstPasswordCookie.name), from: incoming.peer) {
        case .claim(let made): claim = made
        case .wait(let duration): throw .tooMany(duration, "too many codes were asked for")
        case .failed(let why): throw APIError(500, "failed", why)
        }
        guard let picture = CodePicture(claim.code) else { throw APIError(500, "failed", "the code can't be drawn") }
        var fields: [String: JSONValue] = ["step": "ask", "from": .string(incoming.peer.name)]
        if let before = claim.before { fields["replaces"] = .string(before.digits) }
        var told = try await stage(of: claim.code, fields)
        told["code"] = .array(picture.rows.map { .string($0) })
        var response = Answer.json(.object(told), status: .created)
        response.headers[.setCookie] = FirstPasswordCookie.set(claim.cookie, isSecure: incoming.isSecure)
        return response
    }

    func read(_ incoming: Incoming) async throws(APIError) -> Response {
        Answer.json(.object(try await stage(of: try await code(of: incoming), ["step": "look"])))
    }

    func withdraw(_ incoming: Incoming) async throws(APIError) -> Response {
        try requireNotForeign(incoming)
        let code = try await code(of: incoming)
        _ = try await stage(of: code, ["step": "withdraw"])
        await desk.forget(code)
        return Answer.nothing(cookie: FirstPasswordCookie.clear)
    }

    /// Signs in, too.
    func set(_ incoming: Incoming) async throws(APIError) -> Response {
        try await requireFirst(incoming)
        let body = try await incoming.object()
        try body.allow(["password"])
        let text = try body.text("password", 0...4096)
        let code = try await code(of: incoming)
        let result = await gatekeeper.setFirstPassword(text, from: incoming.peer) { [self] () async throws(APIError) in
            _ = try await stage(of: code, ["step": "use"])
        }
        switch result {
        case .set(let cookie):
            await desk.forget(code)
            await questions.station.endStreams { if case .session = $0 { true } else { false } }
            passwordWasSet()
            return Answer.nothing(cookie: ConsoleCookie.set(cookie, isSecure: incoming.isSecure))
        case .notAllowed(let error): throw error
        case .isSet: throw Self.isSet
        case .refused(let why): throw APIError(400, "badPassword", why)
        case .failed(let why): throw APIError(500, "failed", why)
        }
    }

    // MARK: Rules

    private static let isSet = APIError(409, "passwordSet", "a password is set already: sign in with it")

    private func requireFirst(_ incoming: Incoming) async throws(APIError) {
        try requireNotForeign(incoming)
        if await gatekeeper.isPasswordSet { throw Self.isSet }
    }

    private func requireNotForeign(_ incoming: Incoming) throws(APIError) {
        guard !OriginRule.isForeignPage(incoming.originHeaders) else {
            throw APIError(403, "foreignPage", "this works on the console's own page only: its Origin isn't this host")
        }
    }

    private func code(of incoming: Incoming) async throws(APIError) -> FirstPasswordCode {
        guard let code = await desk.code(of: incoming.cookies(named: FirstPasswordCookie.name)) else {
            throw APIError(404, "noCode", "this browser has no code: ask for one first")
        }
        return code
    }

    private func stage(
        of code: FirstPasswordCode, _ fields: [String: JSONValue]
    ) async throws(APIError) -> [String: JSONValue] {
        let reply = try await questions.obeyed("firstPassword", fields.merging(["code": .string(code.digits)]) { $1 })
        guard let stage = reply["stage"]?.stringValue else {
            throw APIError(501, "stationTooOld", "the station's answer says nothing of the code: update the station")
        }
        return [
            "stage": .string(stage), "leftMs": reply["leftMs"] ?? 0, "why": reply["why"] ?? .null,
        ]
    }
}

/// Ends with the browser, or when the password is set.
private enum FirstPasswordCookie {
    static let name = "scanstation-first"
    private static let rest = "Path=\(RouteTable.base)/first-password; HttpOnly; SameSite=Strict"

    static func set(_ value: String, isSecure: Bool) -> String {
        "\(name)=\(value); \(rest)" + (isSecure ? "; Secure" : "")
    }

    static let clear = "\(name)=; Max-Age=0; \(rest)"
}
