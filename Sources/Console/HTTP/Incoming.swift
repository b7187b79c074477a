import HTTPTypes
import HummingbirdCore
import NIOCore
import Wire

/// A request as the API looks at it.
struct Incoming: Sendable {
    static let maxBodyBytes = 65_536
    static let maxPathBytes = 2048

    let request: Request
    let peer: Peer
    let method: String
    /// Without the query.
    let path: String
    let queryText: Substring

    /// Whether a browser on this machine asks, and not a proxy for somebody else.
    var isFromHere: Bool {
        let host = request.head.authority ?? ""
        return peer.isThisMachine
            && ["127.0.0.1", "localhost", "[::1]"].contains { host == $0 || host.hasPrefix("\($0):") }
    }

    init(_ request: Request, peer: Peer) {
        self.request = request
        self.peer = peer
        method = request.head.method.rawValue
        let whole = request.head.path ?? ""
        let end = whole.firstIndex(of: "?") ?? whole.endIndex
        path = String(whole[..<end])
        queryText = end == whole.endIndex ? "" : whole[whole.index(after: end)...].prefix { $0 != "#" }
    }

    var isWrite: Bool { !["GET", "HEAD"].contains(method) }

    var originHeaders: OriginRule.Headers {
        OriginRule.Headers(
            host: request.head.authority, origin: request.headers.first(.origin),
            fetchSite: request.headers.first(Header.fetchSite))
    }

    /// The browser's connection to a proxy before the console is encrypted.
    var isSecure: Bool { request.headers.first(.origin)?.lowercased().hasPrefix("https://") ?? false }

    func query() throws(APIError) -> [String: String] {
        guard let query = PercentEncoding.query(queryText) else {
            throw .badRequest("the address's query isn't percent-encoded UTF-8")
        }
        return query
    }

    var cookies: [String] { cookies(named: ConsoleCookie.name) }

    /// The values of our cookie: another program at this host may have set one, too.
    func cookies(named name: String) -> [String] {
        var values: [String] = []
        for field in request.headers[values: .cookie] {
            for pair in field.split(separator: ";") {
                let sides = pair.split(separator: "=", maxSplits: 1)
                guard sides.count == 2, sides[0].filter({ $0 != " " }) == name else { continue }
                values.append(String(sides[1].filter { $0 != " " }))
            }
        }
        return Array(values.prefix(4))
    }

    /// `nil`: there is none.
    func bearer() throws(APIError) -> String? {
        guard let text = request.headers.first(.authorization) else { return nil }
        let sides = text.split(separator: " ", maxSplits: 1)
        guard sides.count == 2, sides[0].lowercased() == "bearer" else {
            throw APIError(
                401, "notSignedIn", "the header Authorization must be \"Bearer TOKEN\"",
                fields: ["WWW-Authenticate": "Bearer"])
        }
        return String(sides[1])
    }

    /// The body, which must be a JSON object.
    func object() async throws(APIError) -> [String: JSONValue] {
        let type = request.headers.first(.contentType)?.prefix { $0 != ";" }.lowercased() ?? ""
        guard type == "application/json" else {
            throw APIError(415, "unsupportedMediaType", "the body must be JSON, with Content-Type: application/json")
        }
        let tooLong = APIError(
            413, "tooLong", "the body is longer than \(Self.maxBodyBytes) bytes; nothing was changed")
        if let length = request.headers.first(.contentLength).flatMap(Int.init), length > Self.maxBodyBytes {
            throw tooLong
        }
        let buffer: ByteBuffer
        do { buffer = try await request.body.collect(upTo: Self.maxBodyBytes) } catch is NIOTooManyBytesError {
            throw tooLong
        } catch { throw .badRequest("the body ended early") }
        let value: JSONValue
        do {
            value = try JSONValue(
                parsing: buffer.readableBytesView, limits: JSONLimits(maxDepth: 8, maxBytes: Self.maxBodyBytes))
        } catch { throw .badRequest("the body is \(error.description)") }
        guard let members = value.objectValue else { throw .badRequest("the body must be a JSON object") }
        return members
    }
}

/// The cookie of a session.
enum ConsoleCookie {
    static let name = "scanstation"

    static func set(_ value: String, isSecure: Bool) -> String {
        "\(name)=\(value); Path=/; Max-Age=2592000; HttpOnly; SameSite=Strict" + (isSecure ? "; Secure" : "")
    }

    static let clear = "\(name)=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict"
}

extension Dictionary where Key == String, Value == JSONValue {
    /// A member that must be text of a certain number of characters, counted as JSON schemas do.
    func text(_ name: String, _ length: ClosedRange<Int>) throws(APIError) -> String {
        guard let value = self[name] else { throw .badRequest("\"\(name)\" is missing") }
        guard let text = value.stringValue else {
            throw .badRequest("\"\(name)\" is \(value.typeName), but must be a string")
        }
        let count = text.unicodeScalars.count
        guard length.contains(count) else {
            throw .badRequest(
                "\"\(name)\" has \(count) characters, but must have \(length.lowerBound) to \(length.upperBound)")
        }
        return text
    }

    /// So that a misspelt member isn't silently left out.
    func allow(_ names: Set<String>) throws(APIError) {
        if let unknown = keys.filter({ !names.contains($0) }).min() {
            throw .badRequest(
                "\"\(unknown.prefix(64))\" isn't known here; the names are: \(names.sorted().joined(separator: ", "))")
        }
    }
}
