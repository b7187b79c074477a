import Wire

/// Asks the station for one route, and makes an error of what isn't an answer.
struct StationQuestions: Sendable {
    let station: StationDesk
    /// The console's own version.
    let version: String

    /// Asks the station; a refusal is 409 with its words.
    func obeyed(
        _ command: String, _ fields: [String: JSONValue], by link: StationLink? = nil
    ) async throws(APIError) -> JSONValue {
        let reply: JSONValue
        do throws(StationAway) {
            reply = try await (link ?? station.withheld.link).ask(command, fields).json
        } catch { throw .away(error.description) }
        guard reply["ok"]?.boolValue == true else {
            let why = reply["error"]?.stringValue ?? "the station refuses, and doesn't say why"
            if why.lowercased().contains("unknown command") {
                throw APIError(
                    501, "stationTooOld",
                    "the station doesn't know \"\(command)\": it is older than this console (\(version)); update it")
            }
            throw APIError(409, "refused", why)
        }
        var members = reply.objectValue ?? [:]
        for name in ["v", "type", "tag"] { members[name] = nil }
        return .object(members)
    }

    /// One member of a reply.
    func told(_ member: String, by command: String) async throws(APIError) -> JSONValue {
        guard let value = try await obeyed(command, [:])[member] else {
            throw .tooOld(command, lacks: member)
        }
        return value
    }
}
