import Dispatch
import Glibc
import TestSupport

/// What a process writes into a pipe, for tests that wait for a line. Unlike `ByteEnd` it reads on while nobody waits, so that the process
/// never does, and whoever waits gets a line that came earlier, too.
final class OutputLines: Sendable {
    private struct State {
        var bytes: [UInt8] = []
        var isOver = false

        var text: String { String(decoding: bytes, as: UTF8.self) }

        func first(with text: String) -> String? {
            self.text.split(separator: "\n").first { $0.contains(text) }.map(String.init)
        }
    }

    private let state = Observed(State())

    /// Reads the pipe to its end, and closes it.
    func follow(_ descriptor: Int32) {
        DispatchQueue(label: "output").async { [state] in
            var incoming = IncomingBytes()
            while incoming.fill(from: descriptor) > 0 { state.change { $0.bytes += incoming.take(.max) } }
            state.change { $0.isOver = true }
            close(descriptor)
        }
    }

    /// `nil`: it ended without one.
    func first(with text: String) async -> String? {
        await state.wait { $0.isOver || $0.first(with: text) != nil }
        return state.value.first(with: text)
    }

    /// Everything, at the end.
    func whole() async -> String {
        await state.wait(until: \.isOver)
        return state.value.text
    }
}
