import Wire

/// Settings that may change while the station runs. The station compares revisions, tries a change and keeps it; this passes on who it is.
struct SettingsDesk: Sendable {
    static let most = 64
    static let longestRevision = 64

    private let link: StationLink

    init(link: StationLink) { self.link = link }

    func read() async throws(APIError) -> JSONValue {
        let reply = try await ask("schema", [:])
        guard let keys = reply["keys"]?.arrayValue, let settings = reply["settings"],
            let revision = settings["revision"]?.stringValue
        else {
            throw APIError(501, "stationTooOld", "the station doesn't say which settings there are: update it")
        }
        return [
            "revision": .string(revision), "keys": .array(keys), "trial": settings["trial"] ?? .null,
            "changes": reply["changes"] ?? [], "notes": settings["notes"] ?? [], "file": settings["file"] ?? .null,
        ]
    }

    /// - Parameter author: for the log of changes, and to tell one's own trial from another's.
    func change(_ incoming: Incoming, author: String) async throws(APIError) -> JSONValue {
        let body = try await incoming.object()
        try body.allow(["values"])
        guard let values = body["values"]?.objectValue, !values.isEmpty, values.count <= Self.most else {
            throw .badRequest(
                "\"values\" must have 1 to \(Self.most) settings by their keys, such as {\"torch.mode\": \"auto\"}")
        }
        guard let revision = try Self.revision(incoming) else {
            throw APIError(
                428, "revisionMissing", "the header If-Match must have the revision of the settings that you have seen")
        }
        _ = try await ask(
            "change", ["values": .object(values), "revision": .string(revision), "author": .string(author)])
        return try await read()
    }

    /// Keeps what is on trial; with If-Match, only if the settings are still those.
    func keep(_ incoming: Incoming) async throws(APIError) -> JSONValue {
        let revision = try Self.revision(incoming)
        _ = try await ask("keep", revision.map { ["revision": .string($0)] } ?? [:])
        return try await read()
    }

    func takeBack() async throws(APIError) -> JSONValue {
        _ = try await ask("takeBack", [:])
        return try await read()
    }

    private static func revision(_ incoming: Incoming) throws(APIError) -> String? {
        guard let text = incoming.request.headers.first(.ifMatch)?.filter({ $0 != "\"" && $0 != " " }) else {
            return nil
        }
        // Too long or empty to be one: it is nobody's.
        return (1...longestRevision).contains(text.unicodeScalars.count) ? text : "none"
    }

    private func ask(_ command: String, _ fields: [String: JSONValue]) async throws(APIError) -> JSONValue {
        let reply: JSONValue
        do throws(StationAway) { reply = try await link.ask(command, fields).json } catch {
            throw .away(error.description)
        }
        guard reply["ok"]?.boolValue == true else {
            let why = reply["error"]?.stringValue ?? "the station refuses, and doesn't say why"
            switch reply["code"]?.stringValue {
            case "outdated": throw APIError(412, "changedMeanwhile", why)
            case let code?: throw APIError(409, String(code.prefix(32)), why)
            case nil: break
            }
            throw why.lowercased().contains("unknown command")
                ? APIError(501, "stationTooOld", "the station doesn't know \"\(command)\": update it")
                : APIError(409, "refused", why)
        }
        return reply
    }
}
