/// Lines that wait to be written to one client. The lines themselves are shared between the clients.
package struct OutgoingLines {
    private var lines: [[UInt8]] = []
    private var head = 0
    /// Bytes of the first line that were written already.
    private var offset = 0
    package private(set) var bytes = 0

    package var count: Int { lines.count - head }
    package var isEmpty: Bool { count == 0 }

    package init() {}

    package mutating func append(_ line: [UInt8]) {
        lines.append(line)
        bytes += line.count
    }

    /// Writes as much as the socket takes. Returns how many bytes that was, and what went wrong after them.
    package mutating func flush(to socket: Descriptor) -> (written: Int, error: SystemError?) {
        flush { socket.write($0, from: $1, isSocket: true) }
    }

    /// `write` gets a line, and the offset to write from.
    mutating func flush(_ write: ([UInt8], Int) -> Descriptor.WriteOutcome) -> (written: Int, error: SystemError?) {
        let before = bytes
        while head < lines.count {
            switch write(lines[head], offset) {
            case .written(let count):
                offset += count
                bytes -= count
            case .wouldBlock: break
            case .failed(let error): return (before - bytes, error)
            }
            guard offset == lines[head].count else {
                compact()
                return (before - bytes, nil)
            }
            offset = 0
            lines[head] = []
            head += 1
        }
        lines.removeAll(keepingCapacity: lines.count <= 64)
        head = 0
        return (before, nil)
    }

    /// How many slots are held, those of written lines included; for tests.
    var slots: Int { lines.count }

    /// Removes what was written, so that a client that is always a little behind doesn't make the array grow.
    private mutating func compact() {
        guard head >= 64, head * 2 >= lines.count else { return }
        lines.removeFirst(head)
        head = 0
    }
}
