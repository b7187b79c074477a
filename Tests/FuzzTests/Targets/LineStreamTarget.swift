import Linux

/// A stream of bytes from a socket, cut into lines however it comes in: the length limit, sizes of five chunks, the stream.
enum LineStreamTarget {
    static func check(_ input: inout FuzzInput) throws {
        let limit = Int(input.byte()) % 32 + 1
        let sizes = input.take(5).map { Int($0) % 40 + 1 }
        let stream = input.all()
        guard !sizes.isEmpty else { return }

        var splitter = LineSplitter(maxLineBytes: limit)
        var parts: [LineSplitter.Part] = []
        var rest = stream[...]
        var turn = 0
        while !rest.isEmpty {
            let chunk = rest.prefix(sizes[turn % sizes.count])
            parts += splitter.add(Array(chunk))
            rest = rest.dropFirst(chunk.count)
            turn += 1
        }
        parts += splitter.finish()
        let expected = lines(of: stream, limit: limit)
        try demand(parts == expected, "chunks of \(sizes) give the lines of the stream: \(parts), not \(expected)")
    }

    /// The same, said in another way: without chunks.
    private static func lines(of stream: [UInt8], limit: Int) -> [LineSplitter.Part] {
        var parts: [LineSplitter.Part] = []
        for var line in stream.split(separator: 0x0A, omittingEmptySubsequences: false) {
            if line.last == 0x0D { line.removeLast() }
            if line.count > limit { return parts + [.overlong] }
            if !line.isEmpty { parts.append(.line(Array(line))) }
        }
        return parts
    }
}
