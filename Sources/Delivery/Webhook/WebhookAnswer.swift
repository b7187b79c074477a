import Vocabulary
import Wire

/// What the body of an answer says about scans: `{"accept":false,"reason":"unknown"}`, or for a batch
/// `{"results":[{"id":…,"accept":…},…]}`, each a host's answer as `CommandDecoder` reads it. Unknown members are ignored, and so is an `id`
/// outside `results`: the request says which scan is meant.
struct WebhookAnswer: Hashable, Sendable {
    /// `accept` or `refuse`, for all scans that `results` doesn't name.
    private let overall: Command?
    /// `nil`: it is named, but nothing is said about it.
    private let results: [String: Command?]

    /// Throws if a body that isn't empty can't be read, with the reason.
    init(_ body: [UInt8]) throws(Problem) {
        let json: JSONValue
        do {
            json = try JSONValue(parsing: body, limits: JSONLimits(maxDepth: 8, maxBytes: body.count))
        } catch {
            throw Problem(message: "\(error)")
        }
        guard case .object(var members) = json else { throw Problem(message: "\(json.typeName) instead of an object") }
        members["id"] = nil
        overall = try Self.verdict(.object(members))
        var results: [String: Command?] = [:]
        guard case .array(let list) = members["results"] ?? [] else {
            throw Problem(message: "\"results\" is \(members["results"]?.typeName ?? "nothing"), not an array")
        }
        for item in list {
            guard let id = item["id"]?.stringValue else {
                throw Problem(message: "a member of \"results\" has no \"id\"")
            }
            guard results.updateValue(try Self.verdict(item), forKey: id) == nil else {
                throw Problem(message: "\"results\" names \(id.quoted) twice")
            }
        }
        self.results = results
    }

    /// `accept` or `refuse`; `nil` if nothing is said about this scan.
    ///
    /// - Parameter isNamed: only what `results` says about it counts.
    func verdict(for scan: String, isNamed: Bool) -> Command? { results[scan] ?? (isNamed ? nil : overall) }

    struct Problem: Error, Hashable {
        var message: String
    }

    private static func verdict(_ json: JSONValue) throws(Problem) -> Command? {
        guard json["accept"] != nil || json["command"] == "accept" || json["command"] == "refuse" else { return nil }
        switch CommandDecoder(example: "{\"accept\":true}").decode(json: json) {
        case .success(let decoded): return decoded.command
        case .failure(let error): throw Problem(message: error.message)
        }
    }
}
