import Glibc
import Logging
import Settings
import TestSupport
import Testing

@testable import scanstation

/// The console beside a station on a desk; a script stands in for it.
@Suite("The console's process", .timeLimit(.minutes(10)))
struct ConsoleProcessTests {
    private let folder = TemporaryFolder()

    private var log: Logger {
        var log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        log.logLevel = .critical
        return log
    }

    /// Each run of it says its number in the address.
    private func console(_ rest: String) throws -> ConsoleProcess {
        let script = """
            #!/bin/sh
            echo x >> "$1"
            echo "{\\"address\\":\\"http://127.0.0.1/$(wc -l < "$1")\\"}"
            \(rest)
            """
        let path = try folder.write("console", script)
        chmod(path, 0o755)
        return ConsoleProcess(
            program: path, arguments: [folder.file("runs")], log: log, firstWait: .milliseconds(1))
    }

    private func address(of console: ConsoleProcess, _ expected: String) async {
        await turns { console.address == expected }
    }

    @Test("says where its page is, and ends with the station")
    func life() async throws {
        let console = try console("exec sleep 1000")
        #expect(console.address == nil)
        console.start()
        await address(of: console, "http://127.0.0.1/1")
        await console.stop()
        #expect(console.address == nil)
    }

    @Test("is started again when it ends")
    func again() async throws {
        let console = try console("[ $(wc -l < \"$1\") -gt 2 ] || exit 3\nexec sleep 1000")
        console.start()
        await address(of: console, "http://127.0.0.1/3")
        await console.stop()
    }

    @Test("that doesn't end when it is asked to is killed")
    func stubborn() async throws {
        let console = try console("trap '' TERM\nwhile :; do sleep 1; done")
        console.start()
        await address(of: console, "http://127.0.0.1/1")
        await console.stop()
        #expect(console.address == nil)
    }

    @Test("isn't there when it is off, has no socket, or isn't installed")
    func none() {
        var settings = ConsoleSettings()
        #expect(ConsoleProcess.make(settings, socket: nil, log: log) == nil)
        settings.isEnabled = false
        #expect(ConsoleProcess.make(settings, socket: "/run/x", log: log) == nil)
    }
}
