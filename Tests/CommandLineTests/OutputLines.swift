import Dispatch
import Glibc
import Synchronization

/// What a process writes into a pipe, for whoever waits for a line of it.
final class OutputLines: Sendable {
    private struct Waiter {
        /// `nil`: the end.
        var text: String?
        var done: CheckedContinuation<String?, Never>
    }

    private struct State {
        var bytes: [UInt8] = []
        var isOver = false
        var waiters: [Waiter] = []

        var text: String { String(decoding: bytes, as: UTF8.self) }

        /// What a waiter gets now; `nil`: it waits on.
        func answer(_ text: String?) -> String?? {
            guard let text else { return isOver ? .some(self.text) : nil }
            if let line = self.text.split(separator: "\n").first(where: { $0.contains(text) }) { return String(line) }
            return isOver ? .some(nil) : nil
        }
    }

    private let state = Mutex(State())

    /// Reads the pipe to its end, and closes it.
    func follow(_ descriptor: Int32) {
        DispatchQueue(label: "output").async { [self] in
            var bytes = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = read(descriptor, &bytes, bytes.count)
                if count < 0, errno == EINTR { continue }
                change { state in
                    if count > 0 { state.bytes += bytes.prefix(count) } else { state.isOver = true }
                }
                if count <= 0 { break }
            }
            close(descriptor)
        }
    }

    /// `nil`: it ended without one.
    func first(with text: String) async -> String? { await wait(for: text) }

    /// Everything, at the end.
    func whole() async -> String { await wait(for: nil) ?? "" }

    private func wait(for text: String?) async -> String? {
        await withCheckedContinuation { done in
            let answer: String?? = state.withLock { state in
                let answer = state.answer(text)
                if answer == nil { state.waiters.append(Waiter(text: text, done: done)) }
                return answer
            }
            if let answer { done.resume(returning: answer) }
        }
    }

    private func change(_ body: (inout State) -> Void) {
        let ready: [(Waiter, String?)] = state.withLock { state in
            body(&state)
            var ready: [(Waiter, String?)] = []
            var waiting: [Waiter] = []
            for waiter in state.waiters {
                if let answer = state.answer(waiter.text) {
                    ready.append((waiter, answer))
                } else {
                    waiting.append(waiter)
                }
            }
            state.waiters = waiting
            return ready
        }
        for (waiter, answer) in ready { waiter.done.resume(returning: answer) }
    }
}
