/// Lines that wait to be written to one client. The lines themselves are shared between the clients.
struct OutgoingLines {
    private var lines: [[UInt8]] = []
    private var head = 0
    /// Bytes of the first line that were written already.
    private var offset = 0
    private(set) var bytes = 0

    var count: Int { lines.count - head }
    var isEmpty: Bool { count == 0 }

    mutating func append(_ line: [UInt8]) {
        lines.append(line)
        bytes += line.count
    }

    /// Writes as much as `write` takes; it returns how many bytes of the given line, from the given offset, it took.
    /// `true` when everything was written.
    mutating func flush(_ write: ([UInt8], Int) throws -> Int) rethrows -> Bool {
        while head < lines.count {
            let count = try write(lines[head], offset)
            offset += count
            bytes -= count
            guard offset == lines[head].count else {
                compact()
                return false
            }
            offset = 0
            lines[head] = []
            head += 1
        }
        lines.removeAll(keepingCapacity: lines.count <= 64)
        head = 0
        return true
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
