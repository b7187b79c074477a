import HTTPTypes
import Vocabulary
import Wire

/// A request that isn't obeyed: the status and a code for programs, a message for people.
package struct APIError: Error, Hashable, Sendable {
    package var status: Int
    package var code: String
    package var message: String
    package var fields: [String: String] = [:]

    package init(_ status: Int, _ code: String, _ message: String, fields: [String: String] = [:]) {
        (self.status, self.code, self.message, self.fields) = (status, code, message, fields)
    }

    package var json: JSONValue {
        ["error": .object(["code": .string(code), "message": .string(message)])]
    }

    static func badRequest(_ message: String) -> APIError { APIError(400, "badRequest", message) }

    static func away(_ why: String) -> APIError { APIError(503, "stationAway", why, fields: ["Retry-After": "2"]) }

    static func tooOld(_ command: String, lacks member: String) -> APIError {
        APIError(
            501, "stationTooOld", "the station's answer to \"\(command)\" has no \"\(member)\": update the station")
    }

    static let notSignedIn = APIError(
        401, "notSignedIn",
        "this needs a sign-in: open the console's page, or send a token as \"Authorization: Bearer TOKEN\"",
        fields: ["WWW-Authenticate": "Bearer"])

    static func tooMany(_ duration: Duration, _ message: String) -> APIError {
        let seconds = max(Int((duration.milliseconds / 1000).rounded(.up)), 1)
        return APIError(429, "tooManyTries", "\(message): wait \(seconds) s", fields: ["Retry-After": "\(seconds)"])
    }
}
