import ConsoleAccess
import Wire

/// Settings that may change while the station runs. One change at a time, so that what was compared with the revision is what is changed.
actor SettingsDesk {
    static let most = 64

    private let link: StationLink
    private var isChanging = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(link: StationLink) { self.link = link }

    func read() async throws(APIError) -> JSONValue {
        let keys = try await keys()
        return ["revision": .string(Self.revision(of: keys)), "keys": .array(keys), "pending": .null]
    }

    func change(_ incoming: Incoming) async throws(APIError) -> JSONValue {
        let body = try await incoming.object()
        try body.allow(["values"])
        guard let values = body["values"]?.objectValue, !values.isEmpty, values.count <= Self.most else {
            throw .badRequest(
                "\"values\" must have 1 to \(Self.most) settings by their keys, such as {\"torch.mode\": \"auto\"}")
        }
        guard let wanted = incoming.request.headers.first(.ifMatch) else {
            throw APIError(
                428, "revisionMissing", "the header If-Match must have the revision of the settings that you have seen")
        }
        await enter()
        defer { leave() }
        let keys = try await keys()
        let revision = Self.revision(of: keys)
        guard wanted.filter({ $0 != "\"" && $0 != " " }) == revision else {
            throw APIError(
                412, "changedMeanwhile",
                "the settings have changed since you read them: read them again, nothing was changed")
        }
        let known = Set(keys.compactMap { $0["key"]?.stringValue })
        if let unknown = values.keys.filter({ !known.contains($0) }).min() {
            throw APIError(
                409, "refused", "\"\(unknown.prefix(128))\" can't be set from a console; nothing was changed")
        }
        _ = try await ask("set", ["values": .object(values)])
        return try await read()
    }

    private func keys() async throws(APIError) -> [JSONValue] {
        guard let keys = try await ask("schema", [:])["keys"]?.arrayValue else {
            throw APIError(501, "stationTooOld", "the station doesn't say which settings there are: update it")
        }
        return keys
    }

    private func ask(_ command: String, _ fields: [String: JSONValue]) async throws(APIError) -> JSONValue {
        let reply: JSONValue
        do throws(StationAway) { reply = try await link.ask(command, fields).json } catch {
            throw .away(error.description)
        }
        guard reply["ok"]?.boolValue == true else {
            let why = reply["error"]?.stringValue ?? "the station refuses, and doesn't say why"
            throw why.lowercased().contains("unknown command")
                ? APIError(501, "stationTooOld", "the station doesn't know \"\(command)\": update it")
                : APIError(409, "refused", why)
        }
        return reply
    }

    static func revision(of keys: [JSONValue]) -> String {
        let values = keys.map { key in JSONValue.array([key["key"] ?? .null, key["value"] ?? .null]) }
        return Secrets.hexadecimal(Secrets.hash(JSONValue.array(values).bytes).prefix(8))
    }

    private func enter() async {
        if isChanging { await withCheckedContinuation { waiting.append($0) } }
        isChanging = true
    }

    /// The next one takes over without letting go, so that nobody slips in between.
    private func leave() {
        if waiting.isEmpty { isChanging = false } else { waiting.removeFirst().resume() }
    }
}
