import TestSupport
import Wire

/// A real web server, in Python (`server.py`), for one test; it ends with this object.
package final class WebServer: Sendable {
    package struct Request: Sendable {
        package var path: String
        /// Names in small letters.
        package var headers: [String: String]
        package var body: [UInt8]
        /// The client's port: equal for requests on one connection.
        package var peer: Int64
    }

    package let port: Int
    private let process: ToolProcess
    private let scheme: String

    /// - Parameter arguments: of `server.py`; with any it speaks TLS.
    package init(_ arguments: [String] = []) async throws {
        let folder = #filePath.prefix(upTo: #filePath.lastIndex(of: "/") ?? #filePath.endIndex)
        process = try ToolProcess("python3", ["\(folder)/server.py"] + arguments, isFed: true)
        scheme = arguments.isEmpty ? "http" : "https"
        guard let port = await process.output.readJSON()?["port"]?.integerValue else {
            throw PeerFailure("the web server didn't start")
        }
        self.port = Int(port)
    }

    package func url(_ path: String, host: String = "127.0.0.1") -> String { "\(scheme)://\(host):\(port)\(path)" }

    /// The next request that came.
    package func request() async throws -> Request {
        let told = await process.output.readJSON()
        guard let told, let path = told["path"]?.stringValue, let headers = told["headers"]?.objectValue,
            let body = told["body"]?.stringValue.flatMap({ Base64.decode($0) }), let peer = told["peer"]?.integerValue
        else { throw PeerFailure("the web server told of no request") }
        return Request(path: path, headers: headers.compactMapValues(\.stringValue), body: body, peer: peer)
    }
}
