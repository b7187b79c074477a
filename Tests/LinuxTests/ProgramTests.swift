import Glibc
import Testing

@testable import Linux

/// What the program gets is in CaptureTests' `ProgramTests`.
@Suite("A program, and its pipes", .timeLimit(.minutes(10)))
struct ProgramTests {
    @Test("Each pipe has what was written into it, and what nobody reads goes nowhere")
    func pipes() throws {
        let program = try Program(
            "/bin/sh", ["-c", "echo one; echo two >&2; echo three >&3"], [.pipe, .nothing, .pipe])
        #expect(program.outputs.map(text) == ["one\n", "three\n"])
        #expect(program.reap(wait: true) == .exited(0))
        let joined = try Program("/bin/sh", ["-c", "echo one; echo two >&2"], [.pipe, .same])
        #expect(joined.outputs.map(text) == ["one\ntwo\n"])
    }

    @Test("How it ended is told once")
    func once() throws {
        let program = try Program("/bin/sh", ["-c", "kill -9 $$"], [])
        #expect(program.reap(wait: true) == .killed(signal: SIGKILL))
        #expect(program.reap() == nil)
    }

    @Test("One that somebody else has waited for has ended all the same")
    func takenAway() throws {
        let child = try Child { pid in
            withCStrings(["true"]) { arguments in -posix_spawn(&pid, "/bin/true", nil, nil, arguments, environ) }
        }
        waitpid(child.pid, nil, 0)
        #expect(child.reap(wait: true) == .exited(0))
        #expect(child.reap() == nil)
    }

    @Test("One that doesn't end when it is asked to is killed")
    func stubborn() throws {
        let program = try Program("/bin/sh", ["-c", "trap '' TERM; echo x; while :; do sleep 1; done"], [.pipe])
        #expect(isReady(program.outputs[0].number, until: nil))
        program.end(with: SIGTERM, patience: .milliseconds(20))
        #expect(isReady(program.ended))
        #expect(program.reap() == nil)
    }

    @Test("What can't be started says why")
    func missing() {
        #expect(throws: Program.NotStarted(path: "/nonexistent", code: ENOENT)) {
            try Program("/nonexistent", [], [.pipe])
        }
    }

    private func text(_ end: Descriptor) -> String {
        var bytes: [UInt8] = []
        while isReady(end.number, until: nil), case .bytes(let more) = end.read(limit: 100) { bytes += more }
        return String(decoding: bytes, as: UTF8.self)
    }
}
