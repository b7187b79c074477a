import Glibc
import TestSupport
import Testing

@testable import Capture
@testable import Linux

@Suite(.timeLimit(.minutes(10))) struct ProgramTests {
    @Test func `what a program says and how it ends is kept`() throws {
        let result = try ProgramRun.run(
            "/bin/sh", ["-c", "echo out; echo err >&2; exit 7"], limit: .seconds(300))
        #expect(result.end == .exited(7))
        #expect(result.text == "out\nerr\n")
        let quiet = try ProgramRun.run(
            "/bin/sh", ["-c", "echo out; echo err >&2"], limit: .seconds(300), withErrors: false)
        #expect(quiet.text == "out\n")
    }

    @Test func `a missing program is reported with its path`() {
        #expect(throws: Program.NotStarted(path: "/nonexistent/program", code: ENOENT)) {
            try ProgramRun.run("/nonexistent/program", [], limit: .seconds(300))
        }
        #expect(throws: Program.NotStarted(path: "/etc/passwd", code: EACCES)) {
            try ProgramRun.run("/etc/passwd", [], limit: .seconds(300))
        }
    }

    @Test func `one that takes too long is killed with everything it started`() throws {
        let result = try ProgramRun.run(
            "/bin/sh", ["-c", "(sleep 100000; echo late) & sleep 100000"], limit: .milliseconds(50))
        #expect(result.end == .killed(signal: SIGKILL))
    }

    @Test func `it gets its descriptors, default signals, an empty mask, and nothing else of ours`() throws {
        // Ignored and blocked here, as in the station.
        signal(SIGPIPE, SIG_IGN)
        let script = """
            ls /proc/self/fd | tr '\\n' ' '; echo
            grep -E '^Sig(Blk|Ign)' /proc/self/status
            env | cut -d= -f1 | sort | tr '\\n' ' '
            """
        setenv("NOTIFY_SOCKET", "/nonexistent", 1)
        defer { unsetenv("NOTIFY_SOCKET") }
        let lines = try ProgramRun.run("/bin/sh", ["-c", script], limit: .seconds(300)).text
            .split(separator: "\n").map(String.init)
        // 4 is the one by which ls reads the folder.
        #expect(lines.first == "0 1 2 3 4 ")
        #expect(lines.contains("SigBlk:\t0000000000000000"))
        let ignored = try #require(
            lines.first { $0.hasPrefix("SigIgn:") }.flatMap { UInt64($0.dropFirst(8), radix: 16) })
        // The C library keeps 32 and 33 for itself, and leaves them as they were inherited.
        #expect(ignored & 0x7FFF_FFFF == 0)
        #expect(lines.last?.contains("PATH") == true)
        #expect(lines.last?.contains("NOTIFY_SOCKET") == false)
    }

    @Test func `it dies with the thread that started it`() throws {
        let starter = Starter()
        var thread = pthread_t()
        #expect(pthread_create(&thread, nil, startAndLeave, Unmanaged.passUnretained(starter).toOpaque()) == 0)
        pthread_join(thread, nil)
        let program = try #require(starter.program)
        #expect(program.reap(wait: true) == .killed(signal: SIGKILL))
        // It held the other end.
        guard case .end = program.outputs[0].read(limit: 1) else {
            Issue.record("its output is still open")
            return
        }
    }

    @Test func `programs are found on the path in the order of their names`() throws {
        let folder = TemporaryFolder()
        for name in ["libcamera-vid", "rpicam-vid"] {
            try folder.write(name, [])
            #expect(chmod("\(folder.path)/\(name)", 0o755) == 0)
        }
        try folder.write("plain", [])
        let path = "/nonexistent:\(folder.path)"
        #expect(ProgramPath.find(["rpicam-vid", "libcamera-vid"], folders: path) == "\(folder.path)/rpicam-vid")
        #expect(ProgramPath.find(["none", "libcamera-vid"], folders: path) == "\(folder.path)/libcamera-vid")
        #expect(ProgramPath.find(["plain", "none"], folders: path) == nil)
        #expect(ProgramPath.find(["\(folder.path)/rpicam-vid"], folders: "") == "\(folder.path)/rpicam-vid")
    }
}

private final class Starter {
    var program: Program?
}

private func startAndLeave(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    let starter = Unmanaged<Starter>.fromOpaque(argument).takeUnretainedValue()
    starter.program = try? Program("/bin/sleep", ["100000"], [.pipe])
    return nil
}
