import Glibc
import Linux
import TestSupport
import Wire

/// A browser, or a program, as the console's other end: HTTP by hand, so that it can be wrong, too.
final class Browser: Sendable {
    struct Answer: Sendable {
        var status = 0
        var fields: [String: String] = [:]
        var body: [UInt8] = []

        var json: JSONValue { (try? JSONValue(parsing: body)) ?? .null }
        var code: String? { json["error"]?["code"]?.stringValue }
        var message: String { json["error"]?["message"]?.stringValue ?? "" }

        init(_ bytes: [UInt8]) {
            guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return }
            let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
            status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
            for line in lines.dropFirst() {
                let sides = line.split(separator: ":", maxSplits: 1)
                fields[sides[0].lowercased()] = sides.count > 1 ? String(sides[1].drop { $0 == " " }) : ""
            }
            body = Array(bytes[end.upperBound...])
        }
    }

    let port: Int
    let cookie = Observed<String?>(nil)

    init(port: Int) { self.port = port }

    var origin: String { "http://127.0.0.1:\(port)" }

    /// Not on the pool's threads: connecting may block until the console, which needs them, accepts.
    func connect() async -> ByteEnd? { await blocking { [port] in TCPHost.connect(port) } }

    /// Sends the same again and again until the other side takes no more; how many bytes that were.
    static func flood(_ end: ByteEnd, _ chunk: [UInt8], most: Int) async -> Int {
        await blocking {
            var sent = 0
            while sent < most {
                let count = chunk.withUnsafeBytes {
                    Glibc.send(end.number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { break }
                sent += count
            }
            return sent
        }
    }

    func head(_ method: String, _ path: String, _ fields: [String: String], isStream: Bool = false) -> String {
        var all = ["Host": "127.0.0.1:\(port)"]
        if !isStream { all["Connection"] = "close" }
        if let cookie = cookie.value { all["Cookie"] = "other=1; scanstation=\(cookie)" }
        if method != "GET", all["Cookie"] != nil { all["Origin"] = origin }
        all.merge(fields) { $1 }
        return "\(method) \(path) HTTP/1.1\r\n" + all.filter { !$0.value.isEmpty }.map { "\($0): \($1)\r\n" }.joined()
            + "\r\n"
    }

    /// - Parameter fields: one with an empty value is left out.
    func ask(_ method: String, _ path: String, _ body: JSONValue? = nil, _ fields: [String: String] = [:]) async
        -> Answer
    {
        var fields = fields
        var bytes: [UInt8] = []
        if let body {
            bytes = body.bytes
            fields["Content-Type"] = fields["Content-Type"] ?? "application/json"
            fields["Content-Length"] = "\(bytes.count)"
        }
        return await send(Array(head(method, path, fields).utf8) + bytes)
    }

    func api(_ method: String, _ path: String, _ body: JSONValue? = nil, _ fields: [String: String] = [:]) async
        -> Answer
    {
        await ask(method, "/api/v1" + path, body, fields)
    }

    func send(_ bytes: [UInt8]) async -> Answer {
        guard let end = await connect() else { return Answer([]) }
        await end.write(bytes)
        let answer = Answer(await end.readToEnd())
        end.close()
        if let set = answer.fields["set-cookie"], set.hasPrefix("scanstation=") {
            let value = String(set.dropFirst("scanstation=".count).prefix { $0 != ";" })
            cookie.change { $0 = value.isEmpty ? nil : value }
        }
        return answer
    }
}
