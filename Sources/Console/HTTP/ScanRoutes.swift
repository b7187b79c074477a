import HTTPTypes
import HummingbirdCore
import NIOCore
import Vocabulary
import Wire

/// The journal's scans: pages, search, one of them, all of them as a file.
struct ScanRoutes: Sendable {
    private static let pageSize = 50
    private static let largestPage: Int64 = 200

    private let questions: StationQuestions
    /// Exports that run at once.
    private let exports = Slots(2)

    init(_ questions: StationQuestions) { self.questions = questions }

    func list(_ incoming: Incoming, _ visitor: Visitor) async throws(APIError) -> Response {
        var fields = try Self.filter(try incoming.query())
        if fields["limit"] == nil { fields["limit"] = .integer(Int64(Self.pageSize)) }
        let reply = try await questions.obeyed(
            "scans", fields, by: await questions.station.end(for: visitor.scopes).link)
        return Answer.json([
            "scans": reply["scans"] ?? [], "more": reply["more"] ?? false, "before": reply["before"] ?? .null,
            "reached": reply["reached"] ?? .null,
        ])
    }

    func read(_ id: String, _ visitor: Visitor) async throws(APIError) -> Response {
        let link = await questions.station.end(for: visitor.scopes).link
        let reply: JSONValue
        do throws(APIError) {
            reply = try await questions.obeyed("scan", ["id": .string(id)], by: link)
        } catch {
            // A journal has no other reason to refuse one.
            if error.status == 409 { throw APIError(404, "notFound", error.message) }
            throw error
        }
        guard let scan = reply["scan"], scan != .null else {
            throw APIError(404, "notFound", "the journal has no such scan: it was never there, or is dropped already")
        }
        return Answer.json(scan)
    }

    /// A query's parameters as the station takes them.
    static func filter(_ query: [String: String]) throws(APIError) -> [String: JSONValue] {
        var fields: [String: JSONValue] = [:]
        for (name, value) in query {
            switch name {
            case "before":
                guard let number = Int64(value), number >= 0 else {
                    throw .badRequest("\"before\" must be a scan's number")
                }
                fields[name] = .integer(number)
            case "limit":
                guard let number = Int64(value), (1...Self.largestPage).contains(number) else {
                    throw .badRequest("\"limit\" must be 1 to \(largestPage)")
                }
                fields[name] = .integer(number)
            case "text", "kind", "symbology":
                guard value.unicodeScalars.count <= 128 else {
                    throw .badRequest("\"\(name)\" has more than 128 characters")
                }
                if !value.isEmpty { fields[name] = .string(value) }
            case "receipt":
                guard !value.isEmpty else { continue }
                guard let outcome = ReceiptEvent.Outcome(rawValue: value) else {
                    let all = ReceiptEvent.Outcome.allCases.map(\.rawValue).joined(separator: ", ")
                    throw .badRequest("\"receipt\" must be one of: \(all)")
                }
                fields[name] = .string(outcome.rawValue)
            case "from", "to":
                guard !value.isEmpty else { continue }
                guard WallTime.nanoseconds(rfc3339: value) != nil else {
                    throw .badRequest("\"\(name)\" must be a time such as 2026-11-24T12:00:00.000Z")
                }
                fields[name] = .string(value)
            default: continue
            }
        }
        return fields
    }

    func export(_ incoming: Incoming, _ visitor: Visitor) async throws(APIError) -> Response {
        let query = try incoming.query()
        let format = query["format"] ?? "ndjson"
        guard ["ndjson", "csv"].contains(format) else { throw .badRequest("\"format\" must be ndjson or csv") }
        var fields = try Self.filter(query)
        fields["limit"] = .integer(Self.largestPage)
        guard let slot = exports.take() else {
            throw APIError(
                429, "tooManyExports", "others are exporting: try again in a moment", fields: ["Retry-After": "5"])
        }
        let link = await questions.station.end(for: visitor.scopes).link
        let first = try await questions.obeyed("scans", fields, by: link)
        let isCSV = format == "csv"
        let body = ResponseBody { [questions, fields, slot] writer in
            if isCSV { try await writer.write(ByteBuffer(string: ScanTable.head)) }
            var page = first
            while true {
                var buffer = ByteBuffer()
                for scan in page["scans"]?.arrayValue ?? [] {
                    buffer.writeBytes(isCSV ? ScanTable.row(scan) : scan.bytes + [UInt8(ascii: "\n")])
                }
                try await writer.write(buffer)
                // A search looks at a limited number of scans at a time, and perhaps none matches.
                guard page["more"]?.boolValue == true, let end = page["before"] else { break }
                var next = fields
                next["before"] = end
                page = try await questions.obeyed("scans", next, by: link)
            }
            try await writer.finish(nil)
            withExtendedLifetime(slot) {}
        }
        return Response(
            status: .ok,
            headers: [
                .contentType: isCSV ? "text/csv; charset=utf-8" : "application/x-ndjson", .cacheControl: "no-store",
                .contentDisposition: "attachment; filename=\"scans.\(format)\"",
            ], body: body)
    }
}
