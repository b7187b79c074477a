/// Cuts a stream of bytes into lines, with a limit on how much may come without a line feed.
package struct LineSplitter {
    package enum Part: Hashable {
        /// Without its line feed, and without a carriage return before it. Empty lines are left out.
        case line([UInt8])
        /// More than `maxLineBytes` without a line feed. Nothing comes after it.
        case overlong
    }

    let maxLineBytes: Int
    private var partial: [UInt8] = []
    private var isOverlong = false

    package init(maxLineBytes: Int) { self.maxLineBytes = maxLineBytes }

    package mutating func add(_ bytes: [UInt8]) -> [Part] {
        var parts: [Part] = []
        var rest = bytes[...]
        while !isOverlong, let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            partial += rest[..<end]
            rest = rest[(end + 1)...]
            take(into: &parts)
        }
        guard !isOverlong else { return parts }
        partial += rest
        // A carriage return at the end may be half of the line's.
        if partial.count > maxLineBytes + (partial.last == UInt8(ascii: "\r") ? 1 : 0) { overflow(into: &parts) }
        return parts
    }

    /// Call at the end of the stream: a last line without a line feed counts.
    package mutating func finish() -> [Part] {
        var parts: [Part] = []
        if !isOverlong { take(into: &parts) }
        return parts
    }

    private mutating func take(into parts: inout [Part]) {
        if partial.last == UInt8(ascii: "\r") { partial.removeLast() }
        guard partial.count <= maxLineBytes else { return overflow(into: &parts) }
        if !partial.isEmpty { parts.append(.line(partial)) }
        partial = []
    }

    private mutating func overflow(into parts: inout [Part]) {
        isOverlong = true
        partial = []
        parts.append(.overlong)
    }
}
