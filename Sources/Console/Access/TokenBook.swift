import ConsoleAccess
import Wire

/// The tokens of programs, as kept: their hashes, never themselves.
package struct TokenBook: Hashable, Sendable {
    package struct Token: Hashable, Sendable {
        package var id: String
        package var name: String
        package var scopes: Set<Scope>
        /// Nanoseconds since 1970.
        package var created: Int64
        /// `nil`: never.
        package var expires: Int64?
        package var hash: [UInt8]
    }

    package static let most = 32
    package static let longestName = 64
    /// So that a token is recognised where it leaks.
    package static let prefix = "scst_"

    package private(set) var tokens: [Token] = []

    package init() {}

    /// - Parameter now: nanoseconds since 1970.
    package mutating func add(_ token: Token) throws(AccessError) {
        guard tokens.count < Self.most else {
            throw AccessError("there are \(Self.most) tokens, and no more are kept: delete one that isn't used")
        }
        tokens.append(token)
    }

    /// Whether there was one.
    package mutating func remove(_ id: String) -> Bool {
        let count = tokens.count
        tokens.removeAll { $0.id == id }
        return tokens.count < count
    }

    package enum Finding: Hashable, Sendable {
        case valid(Token)
        case expired(Token)
        case unknown
    }

    /// Looks at every token, so that the time doesn't tell which one came close.
    package func find(_ secret: String, at now: Int64) -> Finding {
        let hash = Secrets.hash(secret)
        var found: Token?
        for token in tokens where Secrets.areEqual(token.hash, hash) { found = token }
        guard let found else { return .unknown }
        if let expires = found.expires, now >= expires { return .expired(found) }
        return .valid(found)
    }

    // MARK: The file

    package init(parsing bytes: [UInt8]) throws(AccessError) {
        guard let file = try? JSONValue(parsing: bytes), file["v"]?.integerValue == 1,
            let list = file["tokens"]?.arrayValue,
            list.count <= Self.most
        else { throw AccessError("the console's file of tokens can't be read: delete it, and make the tokens again") }
        for entry in list {
            guard let id = entry["id"]?.stringValue, let name = entry["name"]?.stringValue,
                let created = entry["created"]?.integerValue, let expires = entry["expires"],
                expires == .null || expires.integerValue != nil,
                let hash = entry["hash"]?.stringValue.flatMap(Base64.decode), hash.count == 32
            else { throw AccessError("the console's file of tokens is damaged: delete it, and make the tokens again") }
            // A scope of a newer console counts as none.
            let scopes = Set(
                (entry["scopes"]?.arrayValue ?? []).compactMap { $0.stringValue.flatMap(Scope.init(rawValue:)) })
            tokens.append(
                Token(id: id, name: name, scopes: scopes, created: created, expires: expires.integerValue, hash: hash))
        }
    }

    package var bytes: [UInt8] {
        let list = tokens.map { token -> JSONValue in
            [
                "id": .string(token.id), "name": .string(token.name), "created": .integer(token.created),
                "expires": token.expires.map { .integer($0) } ?? .null, "hash": .string(Base64.encode(token.hash)),
                "scopes": .array(Scope.names(token.scopes).map { .string($0) }),
            ]
        }
        return JSONValue.object(["v": 1, "tokens": .array(list)]).bytes
    }
}
