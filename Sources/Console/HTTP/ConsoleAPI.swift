import ConsoleAccess
import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import Synchronization
import Vocabulary
import Wire

/// Answers requests: who may, then what. Decisions are in the rules and machines it asks.
package final class ConsoleAPI: Sendable {
    package let version: String
    private let gatekeeper: Gatekeeper
    private let station: StationDesk
    private let questions: StationQuestions
    private let pages: PageFiles
    private let settings: SettingsDesk
    private let scans: ScanRoutes
    private let events: EventRoutes
    let firstPassword: FirstPasswordRoutes
    private let hosts = Mutex(HostRule())
    private let passwordWasSet: @Sendable () -> Void

    /// - Parameter passwordWasSet: called after each change.
    package init(
        version: String, gatekeeper: Gatekeeper, station: StationDesk, pages: PageFiles,
        passwordWasSet: @escaping @Sendable () -> Void
    ) {
        (self.version, self.gatekeeper, self.station, self.pages) = (version, gatekeeper, station, pages)
        self.passwordWasSet = passwordWasSet
        settings = SettingsDesk(link: station.withheld.link)
        questions = StationQuestions(station: station, version: version)
        scans = ScanRoutes(questions)
        events = EventRoutes(station, gatekeeper)
        firstPassword = FirstPasswordRoutes(questions, gatekeeper, passwordWasSet)
    }

    /// The names under which the page may be asked for.
    package func setHosts(_ rule: HostRule) { hosts.withLock { $0 = rule } }

    /// Throws when the connection is gone.
    package func respond(_ request: Request, _ writer: consuming ResponseWriter, _ channel: any Channel) async throws {
        let incoming = Incoming(request, peer: Peer(channel.remoteAddress?.ipAddress))
        var response = await answer(incoming)
        for (name, value) in Header.common { response.headers.set(name, value) }
        try await writer.write(response: response.head, body: response.body)
    }

    private func answer(_ incoming: Incoming) async -> Response {
        do throws(APIError) {
            guard hosts.withLock({ $0.allows(incoming.request.head.authority) }) else {
                throw APIError(
                    421, "wrongHost",
                    "this console isn't known under the name in the address: use its IP address or NAME.local, or add the name to "
                        + "`console.names` of the station's configuration")
            }
            guard incoming.path.utf8.count + incoming.queryText.utf8.count <= Incoming.maxPathBytes else {
                throw APIError(414, "tooLong", "the address is longer than \(Incoming.maxPathBytes) bytes")
            }
            if incoming.path == RouteTable.base || incoming.path.hasPrefix(RouteTable.base + "/") {
                return try await route(incoming)
            }
            return try page(incoming)
        } catch { return Answer.response(error) }
    }

    private func route(_ incoming: Incoming) async throws(APIError) -> Response {
        switch RouteTable.find(incoming.method, String(incoming.path.dropFirst(RouteTable.base.count))) {
        case .nothing:
            throw APIError(
                404, "notFound", "there is nothing at this address: \(RouteTable.base)/openapi.json lists what there is"
            )
        case .otherMethods(let methods):
            throw APIError(
                405, "methodNotAllowed", "this address takes only \(methods.joined(separator: ", "))",
                fields: ["Allow": methods.joined(separator: ", ")])
        case .found(let route, let parameters):
            if let refusal = await firstPassword.refusal(route.operation, from: incoming.peer) { throw refusal }
            let visitor = try await visitor(incoming, route.access)
            return try await perform(route.operation, incoming, parameters, visitor)
        }
    }

    // MARK: Who may

    /// `nil` where nobody needs to be signed in, and nobody is.
    private func visitor(_ incoming: Incoming, _ access: RouteTable.Access) async throws(APIError) -> Visitor? {
        let visitor = try await signedIn(incoming, isNeeded: access != .open)
        switch access {
        case .open: return visitor
        case .signedIn:
            guard let visitor else { throw .notSignedIn }
            return visitor
        case .scope(let scope):
            guard let visitor else { throw .notSignedIn }
            guard visitor.scopes.contains(scope) else {
                throw APIError(
                    403, "scope",
                    "this needs the scope \"\(scope.rawValue)\", and the token has: "
                        + "\(Scope.names(visitor.scopes).joined(separator: ", ")); make one with more on the console's page"
                )
            }
            return visitor
        }
    }

    private func signedIn(_ incoming: Incoming, isNeeded: Bool) async throws(APIError) -> Visitor? {
        if let token = try incoming.bearer() {
            switch await gatekeeper.visitor(token: token) {
            case .visitor(let visitor): return visitor
            case .refused(let why):
                guard isNeeded else { return nil }
                throw APIError(401, "badToken", why, fields: ["WWW-Authenticate": "Bearer error=\"invalid_token\""])
            }
        }
        for cookie in incoming.cookies {
            guard let visitor = await gatekeeper.visitor(cookie: cookie) else { continue }
            if incoming.isWrite { try requireOwnPage(incoming) }
            return visitor
        }
        return nil
    }

    private func requireOwnPage(_ incoming: Incoming) throws(APIError) {
        guard OriginRule.isOwnPage(incoming.originHeaders) else {
            throw APIError(
                403, "foreignPage",
                "the request comes from another page than the console's (its Origin isn't this host), so nothing was done; programs use "
                    + "a token instead of the cookie")
        }
    }

    // MARK: What

    private func perform(
        _ operation: RouteTable.Operation, _ incoming: Incoming, _ parameters: [String: String], _ visitor: Visitor?
    ) async throws(APIError) -> Response {
        switch operation {
        case .readSession: return await readSession(visitor, isAskedHere: incoming.isFromHere)
        case .signIn: return try await signIn(incoming)
        case .readOpenAPI: return Answer.json(bytes: OpenAPIDocument.bytes)
        case .askFirstPassword: return try await firstPassword.ask(incoming)
        case .readFirstPassword: return try await firstPassword.read(incoming)
        case .setFirstPassword: return try await firstPassword.set(incoming)
        case .withdrawFirstPassword: return try await firstPassword.withdraw(incoming)
        default: break
        }
        guard let visitor else { throw .notSignedIn }
        switch operation {
        case .readSession, .signIn, .readOpenAPI, .askFirstPassword, .readFirstPassword, .setFirstPassword,
            .withdrawFirstPassword:
            throw .notSignedIn
        case .signOut:
            await gatekeeper.signOut(visitor)
            await station.endStreams { $0 == visitor.kind }
            return Answer.nothing(cookie: ConsoleCookie.clear)
        case .signOutEverywhere:
            await gatekeeper.signOutEverywhere()
            await station.endStreams { if case .session = $0 { true } else { false } }
            return Answer.nothing(cookie: ConsoleCookie.clear)
        case .setPassword: return try await setPassword(incoming, visitor)
        case .readState: return await readState()
        case .streamEvents: return try await events.stream(incoming, visitor)
        case .listScans: return try await scans.list(incoming, visitor)
        case .readScan: return try await scans.read(parameters["id"] ?? "", visitor)
        case .exportScans: return try await scans.export(incoming, visitor)
        case .sendScan:
            let body = try await incoming.object()
            try body.allow(["output"])
            let output = try body.text("output", 1...256)
            return Answer.json(
                try await questions.obeyed(
                    "sendAgain", ["id": .string(parameters["id"] ?? ""), "output": .string(output)]))
        case .giveCommand: return try await giveCommand(incoming)
        case .nextPreview: return try await nextPreview(incoming, visitor)
        case .listOutputs: return try await listOutputs()
        case .testOutput:
            return Answer.json(try await questions.obeyed("testScan", ["output": .string(parameters["name"] ?? "")]))
        case .readSettings: return Answer.json(try await settings.read())
        case .changeSettings:
            return Answer.json(try await settings.change(incoming, author: await author(visitor, incoming.peer)))
        case .keepSettings: return Answer.json(try await settings.keep(incoming))
        case .takeBackSettings: return Answer.json(try await settings.takeBack())
        case .readHealth: return try await readHealth()
        case .listTokens: return try await listTokens()
        case .makeToken: return try await makeToken(incoming)
        case .deleteToken: return try await deleteToken(parameters["id"] ?? "")
        }
    }

    /// The outputs, and the kinds from which a person can make another.
    private func listOutputs() async throws(APIError) -> Response {
        let told = try await questions.obeyed("outputs", [:])
        guard let outputs = told["outputs"] else { throw .tooOld("outputs", lacks: "outputs") }
        return Answer.json(["outputs": outputs, "kinds": told["kinds"] ?? .array([])])
    }

    // MARK: Session

    private func readSession(_ visitor: Visitor?, isAskedHere: Bool) async -> Response {
        let commands = AccessCommands.own(isAskedHere: isAskedHere)
        let isSet = await gatekeeper.isPasswordSet
        var name: JSONValue = .null
        var way: JSONValue = .null
        if case .here(let hello) = await station.withheld.link.current {
            name = hello.station.map { .string($0) } ?? .null
            if !isSet, let first = hello.firstPassword {
                way = ["open": .bool(first.isOpen), "why": first.why.map { .string($0) } ?? .null]
            }
        }
        let (password, link) = (commands.password, commands.link)
        let howTo =
            isSet
            ? "Sign in with the console's password. Forgotten? `\(password)` on the station's machine sets another, and `\(link)` prints a link that "
                + "lets you in once."
            : "No password is set. `\(link)` on the station's machine prints a link that lets you in once; `\(password)` sets a password, and opens "
                + "the page to the network."
        return Answer.json([
            "signedIn": .bool(visitor != nil), "scopes": .array(Scope.names(visitor?.scopes ?? []).map { .string($0) }),
            "passwordSet": .bool(isSet), "station": name, "howTo": .string(howTo), "firstPassword": way,
            "commands": commands.json,
        ])
    }

    private func signIn(_ incoming: Incoming) async throws(APIError) -> Response {
        guard !OriginRule.isForeignPage(incoming.originHeaders) else {
            throw APIError(
                403, "foreignPage", "signing in works on the console's own page only: its Origin isn't this host")
        }
        let body = try await incoming.object()
        try body.allow(["password", "key"])
        let result: Gatekeeper.SignIn
        let isByKey = body["key"] != nil
        if isByKey {
            guard body["password"] == nil else { throw .badRequest("give a password or a key, not both") }
            result = await gatekeeper.signIn(key: try body.text("key", 1...256), from: incoming.peer)
        } else {
            result = await gatekeeper.signIn(
                password: try body.text("password", 1...PasswordHash.longest), from: incoming.peer)
        }
        switch result {
        case .signedIn(let cookie):
            return Answer.nothing(cookie: ConsoleCookie.set(cookie, isSecure: incoming.isSecure))
        case .wrong:
            throw isByKey
                ? APIError(
                    401, "wrongKey",
                    "the link was used already, or is too old: `scanstation console link` on the station's machine makes another",
                    fields: ["WWW-Authenticate": "Bearer"])
                : APIError(401, "wrongPassword", "that isn't the password", fields: ["WWW-Authenticate": "Bearer"])
        case .noPassword:
            throw APIError(
                401, "noPassword",
                "no password is set: `scanstation console password` on the station's machine sets one",
                fields: ["WWW-Authenticate": "Bearer"])
        case .wait(let duration): throw .tooMany(duration, "too many tries to sign in")
        case .failed(let why): throw APIError(500, "failed", why)
        }
    }

    private func setPassword(_ incoming: Incoming, _ visitor: Visitor) async throws(APIError) -> Response {
        let body = try await incoming.object()
        try body.allow(["password", "old"])
        let password = try body.text("password", 0...4096)
        let old = body["old"] == nil ? nil : try body.text("old", 0...PasswordHash.longest)
        switch await gatekeeper.setPassword(password, old: old, by: visitor, from: incoming.peer) {
        case .changed:
            let stays = visitor.kind
            await station.endStreams { if case .session = $0 { $0 != stays } else { false } }
            passwordWasSet()
            return Answer.nothing()
        case .wrongOld: throw APIError(403, "wrongPassword", "that isn't the old password; it wasn't changed")
        case .refused(let why): throw APIError(400, "badPassword", why)
        case .wait(let duration): throw .tooMany(duration, "too many tries")
        case .failed(let why): throw APIError(500, "failed", why)
        }
    }

    // MARK: Tokens

    private func listTokens() async throws(APIError) -> Response {
        let tokens = try await kept { try await self.gatekeeper.tokens() }
        return Answer.json(["tokens": .array(tokens.map(Self.members))])
    }

    private func makeToken(_ incoming: Incoming) async throws(APIError) -> Response {
        let body = try await incoming.object()
        try body.allow(["name", "scopes", "expires"])
        let name = try body.text("name", 1...TokenBook.longestName)
        guard let list = body["scopes"]?.arrayValue, !list.isEmpty, list.count <= Scope.allCases.count else {
            throw .badRequest("\"scopes\" must be a list of \(Scope.names(Scope.all).joined(separator: ", "))")
        }
        var scopes: Set<Scope> = []
        for item in list {
            guard let scope = item.stringValue.flatMap(Scope.init(rawValue:)) else {
                throw .badRequest("\"scopes\" may have \(Scope.names(Scope.all).joined(separator: ", "))")
            }
            scopes.insert(scope)
        }
        var expires: Int64?
        if let value = body["expires"], value != .null {
            guard let time = value.stringValue.flatMap(WallTime.nanoseconds(rfc3339:)) else {
                throw .badRequest("\"expires\" must be a time such as 2027-01-31T12:00:00.000Z, or null for never")
            }
            expires = time
        }
        guard try await kept({ try await self.gatekeeper.tokens() }).count < TokenBook.most else {
            throw APIError(
                409, "refused", "there are \(TokenBook.most) tokens, and no more are kept: delete one that isn't used")
        }
        let made = try await kept { try await self.gatekeeper.addToken(name: name, scopes: scopes, expires: expires) }
        guard case .object(var members) = Self.members(made.token) else {
            throw APIError(500, "failed", "no token was made")
        }
        members["token"] = .string(made.secret)
        return Answer.json(.object(members), status: .created)
    }

    private func deleteToken(_ id: String) async throws(APIError) -> Response {
        guard try await kept({ try await self.gatekeeper.removeToken(id) }) else {
            throw APIError(404, "notFound", "there is no such token")
        }
        await station.endStreams { $0 == .token(id) }
        return Answer.nothing()
    }

    private static func members(_ token: TokenBook.Token) -> JSONValue {
        [
            "id": .string(token.id), "name": .string(token.name),
            "scopes": .array(Scope.names(token.scopes).map { .string($0) }),
            "created": .string(WallTime.rfc3339(nanoseconds: token.created)),
            "expires": token.expires.map { .string(WallTime.rfc3339(nanoseconds: $0)) } ?? .null,
        ]
    }

    private func kept<Value>(_ work: () async throws -> Value) async throws(APIError) -> Value {
        do { return try await work() } catch { throw APIError(500, "failed", "\(error)") }
    }

    // MARK: The station

    private func readState() async -> Response {
        var away: JSONValue = .null
        var status: JSONValue = .null
        do throws(APIError) { status = try await questions.obeyed("status", [:]) } catch {
            away = .string(error.message)
        }
        var door = false
        if case .here(let hello) = await station.withheld.link.current { door = hello.hasDoor }
        return Answer.json([
            "station": status["status"] ?? status, "stationAway": away,
            "console": .object([
                "version": .string(version), "viewers": .integer(Int64(station.viewers)), "door": .bool(door),
            ]),
        ])
    }

    /// Who somebody is, for other people. Two browsers behind one address have different letters, from the hash of their cookies.
    private func author(_ visitor: Visitor, _ peer: Peer) async -> String {
        switch visitor.kind {
        case .session(let hash):
            return
                "a browser at \(peer.isThisMachine ? "the station itself" : peer.name) (\(Secrets.hexadecimal(hash.prefix(2))))"
        case .token(let id):
            let name = (try? await gatekeeper.tokens())?.first { $0.id == id }?.name
            return "the token \"\(name ?? id)\""
        }
    }

    private func readHealth() async throws(APIError) -> Response {
        let findings = try await questions.told("findings", by: "doctor")
        let status = try await questions.obeyed("status", [:])
        return Answer.json(["findings": findings, "figures": status["status"] ?? status])
    }

    /// What somebody with `operate` may say. Settings have their own route and scope; the door's commands are passed on for the station to
    /// decide.
    static let commands: Set<String> = [
        "trigger", "release", "confirm", "torch", "focus", "viewport", "pause", "resume", "identify", "cameras", "aim",
    ]
    static let doorCommands: Set<String> = ["relay", "accept", "refuse"]

    private func giveCommand(_ incoming: Incoming) async throws(APIError) -> Response {
        var body = try await incoming.object()
        let command = try body.text("command", 1...64)
        body["command"] = nil
        body["tag"] = nil
        var hasDoor = false
        if case .here(let hello) = await station.withheld.link.current { hasDoor = hello.hasDoor }
        guard Self.commands.contains(command) || (hasDoor && Self.doorCommands.contains(command)) else {
            let isDoor = Self.doorCommands.contains(command)
            throw APIError(
                409, "notForConsole",
                isDoor
                    ? "\"\(command)\" isn't given from a console unless `console: {door: on}` is in the station's configuration"
                    : "\"\(command)\" isn't a command for a console; the commands are: \(Self.commands.sorted().joined(separator: ", "))"
            )
        }
        return Answer.json(try await questions.obeyed(command, body))
    }

    // MARK: Preview

    private func nextPreview(_ incoming: Incoming, _ visitor: Visitor) async throws(APIError) -> Response {
        let query = try incoming.query()
        var after: Int64?
        if let text = query["after"] {
            guard let value = Int64(text), value >= 0 else {
                throw .badRequest("\"after\" must be the number of a picture")
            }
            after = value
        }
        switch await station.previews.next(after: after, for: visitor.kind) {
        case .shot(let body):
            return Response(
                status: .ok, headers: [.contentType: "application/vnd.scanstation.preview", .cacheControl: "no-store"],
                body: ResponseBody(byteBuffer: body))
        case .nothing(let camera):
            var response = Answer.nothing()
            if let camera, let name = Header.cameraState {
                response.headers[name] = String(camera.filter { $0.isASCII && !$0.isNewline }.prefix(64))
            }
            return response
        case .away(let why): throw .away(why)
        case .refused(let why): throw APIError(409, "refused", why)
        case .busy:
            throw APIError(
                429, "tooManyPictures", "too many requests wait for a picture already: ask for one at a time",
                fields: ["Retry-After": "1"])
        }
    }

    // MARK: Pages

    private func page(_ incoming: Incoming) throws(APIError) -> Response {
        guard incoming.method == "GET" || incoming.method == "HEAD" else {
            throw APIError(405, "methodNotAllowed", "pages are only read", fields: ["Allow": "GET, HEAD"])
        }
        guard let file = pages.file(at: incoming.path) else {
            throw APIError(
                404, "notFound",
                pages.folder == nil
                    ? "this console was started without its pages (--web FOLDER); the API is at \(RouteTable.base)"
                    : "there is no such page: the console is at /")
        }
        var headers: HTTPFields = [.contentType: file.type, .cacheControl: "no-cache", .eTag: file.tag]
        let known = incoming.request.headers.first(.ifNoneMatch) ?? ""
        if known.split(separator: ",").contains(where: { $0.filter { $0 != " " } == file.tag }) {
            return Response(status: .notModified, headers: headers)
        }
        headers[.contentLength] = "\(file.bytes.count)"
        let body = incoming.method == "HEAD" ? ResponseBody() : ResponseBody(byteBuffer: ByteBuffer(bytes: file.bytes))
        return Response(status: .ok, headers: headers, body: body)
    }
}
