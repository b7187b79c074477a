import CLinux
import Foundation
import Synchronization
import TestSupport

/// A separate network, as `ip netns` makes it: interfaces, addresses, routes, a name server. Deleted when the test is over.
final class NetworkNamespace: Sendable {
    let name: String
    private let tool: String
    private let log: String
    private let undo: @Sendable () -> Void

    /// - Parameters:
    ///   - files: what programs started in it find in /etc instead of the machine's files.
    ///   - log: file that complaints of ip(8) are appended to.
    init(_ role: String, files: [String: String] = [:], log: String) throws {
        guard geteuid() == 0 else {
            throw BenchmarkFailure("network namespaces have to be made, which takes root: run it as root (sudo)")
        }
        guard let tool = Spawn.find("ip") else {
            throw BenchmarkFailure(
                "this needs ip(8), and it isn't installed: deploy/install-dependencies --tests, or apt-get install iproute2"
            )
        }
        let name = "scanstation-\(getpid())-\(role)"
        let etc = "/etc/netns/" + name
        self.name = name
        self.tool = tool
        self.log = log
        undo =
            CleanUp.shared.add {
                _ = try? ChildProcess(tool, ["netns", "delete", name], log: "/dev/null").wait()
                try? FileManager.default.removeItem(atPath: etc)
                // Nobody else's, or it isn't empty.
                rmdir("/etc/netns")
            }.undo
        try run(["netns", "add", name])
        try ip("link set lo up")
        guard !files.isEmpty else { return }
        try FileManager.default.createDirectory(atPath: etc, withIntermediateDirectories: true)
        for (file, text) in files {
            try text.write(toFile: etc + "/" + file, atomically: true, encoding: .utf8)
        }
    }

    deinit { undo() }

    /// The beginning of a command line that runs a program here.
    var launcher: [String] { [tool, "netns", "exec", name] }

    /// `ip -n NAME` with these words.
    func ip(_ words: String) throws { try run(["-n", name] + words.split(separator: " ").map(String.init)) }

    private func run(_ arguments: [String]) throws {
        let status = try ChildProcess(tool, arguments, log: log).wait()
        guard status == 0 else {
            let said = ((try? String(contentsOfFile: log, encoding: .utf8)) ?? "").suffix(300)
            throw BenchmarkFailure("ip \(arguments.joined(separator: " ")) failed: \(said)")
        }
    }

    /// A setting below /proc/sys/net.
    func set(_ path: String, _ value: Int) throws {
        try inside {
            let file = open("/proc/sys/net/" + path, O_WRONLY | O_CLOEXEC)
            defer { close(file) }
            let text = Array("\(value)\n".utf8)
            guard file >= 0, write(file, text, text.count) == text.count else {
                throw BenchmarkFailure("/proc/sys/net/\(path) can't be set: \(String(cString: strerror(errno)))")
            }
        }
    }

    /// Runs `body` on a separate thread inside this network; the sockets that it makes stay here, no matter which thread uses them.
    func inside<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) throws -> Value {
        let outcome = Mutex<Result<Value, any Error>?>(nil)
        let done = DispatchSemaphore(value: 0)
        Thread { [self] in
            let result = Result { () throws -> Value in
                try enter()
                return try body()
            }
            outcome.withLock { $0 = result }
            done.signal()
        }.start()
        done.wait()
        guard let result = outcome.withLock({ $0 }) else { throw BenchmarkFailure("a thread ended without a word") }
        return try result.get()
    }

    private func enter() throws {
        let file = open("/run/netns/" + name, O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        guard file >= 0, CLinux_enter_network(file) == 0 else {
            throw BenchmarkFailure("can't enter the network \(name): \(String(cString: strerror(errno)))")
        }
    }
}
