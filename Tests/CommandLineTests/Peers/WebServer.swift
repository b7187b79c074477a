import Foundation
import Wire

/// A real web server, the delivery tests' one in Python, with TLS; it ends with this object.
final class WebServer {
    let port: Int
    private let process: RunningExecutable
    /// It runs as long as somebody might write to its standard input.
    private let input: Int32

    init(folder: String, authority: TestAuthority) async throws {
        let pipe = folder + "/web-input"
        guard mkfifo(pipe, 0o600) == 0 else { throw PeerFailure("no pipe at \(pipe)") }
        input = open(pipe, O_RDWR | O_CLOEXEC)
        let script = Document.repository.appendingPathComponent("Tests/DeliveryTests/Support/WebServer/server.py").path
        process = try Tool.start(
            "sh",
            [
                "-c", #"exec python3 "$@" < "$0""#, pipe, script, "--certificate", authority.certificate("server"),
                "--key", authority.key("server"),
            ])
        let told = try JSONValue(parsing: Array(try await process.line(with: #""port""#).utf8))
        port = Int(told["port"]?.integerValue ?? 0)
    }

    deinit {
        close(input)
        process.send(SIGKILL)
    }

    /// The first request: its headers by names in small letters, and its body.
    func request() async throws -> (headers: [String: String], body: String) {
        let told = try JSONValue(parsing: Array(try await process.line(with: #""path""#).utf8))
        let body = told["body"]?.stringValue.flatMap { Base64.decode($0) } ?? []
        return (
            (told["headers"]?.objectValue ?? [:]).compactMapValues(\.stringValue), String(decoding: body, as: UTF8.self)
        )
    }
}
