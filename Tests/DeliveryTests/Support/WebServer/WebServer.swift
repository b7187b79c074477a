import Glibc
import TestSupport
import Testing
import Wire

/// A real web server, in Python (`server.py`), for one test; it ends with this object.
final class WebServer: Sendable {
    struct Request: Sendable {
        var path: String
        /// Names in small letters.
        var headers: [String: String]
        var body: [UInt8]
        /// The client's port: equal for requests on one connection.
        var peer: Int64
    }

    let port: Int
    private let child: Child
    private let scheme: String

    init(_ arguments: [String] = []) async throws {
        let script = "\(Self.folder)/server.py"
        child = try Child(["python3", script] + arguments)
        scheme = arguments.isEmpty ? "http" : "https"
        port = Int(try #require(await child.output.readJSON()?["port"]?.integerValue))
    }

    func url(_ path: String, host: String = "127.0.0.1") -> String { "\(scheme)://\(host):\(port)\(path)" }

    /// The next request that came.
    func request() async throws -> Request {
        let json = try #require(await child.output.readJSON())
        let headers = try #require(json["headers"]?.objectValue).compactMapValues(\.stringValue)
        return Request(
            path: try #require(json["path"]?.stringValue), headers: headers,
            body: try #require(json["body"]?.stringValue.flatMap { Base64.decode($0) }),
            peer: try #require(json["peer"]?.integerValue))
    }

    static var folder: String { String(#filePath.prefix(upTo: #filePath.lastIndex(of: "/") ?? #filePath.endIndex)) }
}

/// A program whose standard input and output are a socket; its input ends with this object, and the program with it.
final class Child: Sendable {
    let output: ByteEnd
    private let pid: pid_t

    init(_ arguments: [String], isQuiet: Bool = false) throws {
        var ends: [Int32] = [-1, -1]
        // Closed on exec: other tests start programs too, and what they inherit would never end.
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        try #require(socketpair(AF_UNIX, type, 0, &ends) == 0)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 0)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        if isQuiet { posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0) }
        var texts = arguments.map { strdup($0) } + [nil]
        var pid: pid_t = 0
        let status = posix_spawnp(&pid, arguments[0], &actions, nil, &texts, environ)
        for text in texts { free(text) }
        posix_spawn_file_actions_destroy(&actions)
        close(ends[1])
        self.pid = pid
        output = ByteEnd(ends[0])
        try #require(status == 0, "cannot start \(arguments[0])")
    }

    deinit {
        output.close()
        var status: Int32 = 0
        waitpid(pid, &status, 0)
    }

    /// Runs a program to its end and returns what it wrote; what it says on standard error is for nobody.
    @discardableResult
    static func run(_ arguments: [String]) async throws -> String {
        let child = try Child(arguments, isQuiet: true)
        child.output.endSending()
        return String(decoding: await child.output.readToEnd(), as: UTF8.self)
    }
}
