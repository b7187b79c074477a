import Foundation
import Glibc
import TestSupport
import Testing

/// The built executable under a service manager: what systemd hears of it.
@Suite("Under a service manager", .timeLimit(.minutes(10)))
struct ServiceManagerTests {
    private let socket = NSTemporaryDirectory() + "cl-\(UUID().uuidString.prefix(8)).sock"

    /// A station that speaks to `manager` and has a watchdog of a second.
    private func start(_ manager: NotifySocket, _ arguments: [String] = []) throws -> RunningExecutable {
        try Executable.start(
            ["run", "--simulate", "--plain", "--socket", socket] + arguments,
            environment: ["NOTIFY_SOCKET": manager.name, "WATCHDOG_USEC": "1000000"])
    }

    @Test(
        "ready once commands are taken, fed from then on, reloading and ready again on SIGHUP, stopping at the end",
        arguments: [false, true])
    func life(isAbstract: Bool) async throws {
        let manager = try NotifySocket(isAbstract: isAbstract)
        let station = try start(manager)
        defer { station.send(SIGKILL) }
        #expect(try await manager.next(with: "READY=1").contains("STATUS="))
        let status = try await Executable.run(["ctl", "status", "--socket", socket, "--timeout", "300"])
        #expect(status.status == 0)
        for _ in 0..<4 { #expect(try await manager.next(with: "WATCHDOG") == "WATCHDOG=1") }
        #expect(try await manager.next(with: "STATUS=camera running; ").contains("scan"))
        station.send(SIGHUP)
        #expect(try await manager.next(with: "RELOADING=1").contains("MONOTONIC_USEC="))
        _ = try await manager.next(with: "READY=1")
        station.send(SIGTERM)
        _ = try await manager.next(with: "STOPPING=1")
        #expect(await station.end().status == 0)
    }

    @Test("a configuration that was broken meanwhile leaves it ready, with the trouble in the status line")
    func brokenReload() async throws {
        let file = NSTemporaryDirectory() + "cl-\(UUID().uuidString.prefix(8)).yaml"
        defer { unlink(file) }
        try Data("name: dock-1\n".utf8).write(to: URL(fileURLWithPath: file))
        let manager = try NotifySocket(isAbstract: false)
        let station = try start(manager, ["--config", file])
        defer { station.send(SIGKILL) }
        _ = try await manager.next(with: "READY=1")
        try Data("name: [\n".utf8).write(to: URL(fileURLWithPath: file))
        station.send(SIGHUP)
        _ = try await manager.next(with: "RELOADING=1")
        #expect(try await manager.next(with: "READY=1").contains("the old one stays in force"))
        _ = try await manager.next(with: "WATCHDOG=1")
        station.send(SIGTERM)
        #expect(await station.end().status == 0)
    }

    @Test("a station that can't start says why before it ends")
    func cannotStart() async throws {
        let first = try NotifySocket(isAbstract: false)
        let station = try start(first)
        defer { station.send(SIGKILL) }
        _ = try await first.next(with: "READY=1")
        let second = try NotifySocket(isAbstract: false)
        let other = try start(second)
        #expect(try await second.next(with: "STATUS=").contains("another station answers"))
        #expect(await other.end().status == 69)
        station.send(SIGTERM)
        #expect(await station.end().status == 0)
    }

    @Test("no reader process hears of the manager's socket")
    func inheritance() async throws {
        let manager = try NotifySocket(isAbstract: false)
        let station = try start(manager)
        defer { station.send(SIGKILL) }
        _ = try await manager.next(with: "scan")
        let children = try Self.children(of: station.pid)
        #expect(!children.isEmpty)
        let own = try Self.environment(of: station.pid)
        #expect(own.range(of: Data("NOTIFY_SOCKET".utf8)) != nil)
        var seen = 0
        for child in children {
            // A process that has just been made is its parent's copy until it runs its own program, and has none on the way there. The one that
            // unpacks the scene's pictures may have ended by now.
            var environment: Data? = own
            await turns {
                environment = try? Self.environment(of: child)
                return environment != own && environment?.isEmpty != true
            }
            guard let environment else { continue }
            seen += 1
            #expect(environment.range(of: Data("NOTIFY_SOCKET".utf8)) == nil)
            #expect(environment.range(of: Data("WATCHDOG".utf8)) == nil)
        }
        #expect(seen > 0)
        station.send(SIGTERM)
        #expect(await station.end().status == 0)
    }

    private static func environment(of pid: Int32) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: "/proc/\(pid)/environ"))
    }

    private static func children(of pid: Int32) throws -> [Int32] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task").flatMap { thread in
            // Not by `String(contentsOfFile:)`: Foundation leaks a page for each file that says it is empty and is.
            let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/\(pid)/task/\(thread)/children"))
            return String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
                .split(separator: " ").compactMap { Int32($0) }
        }
    }
}
