/// Cuts what a station's console socket sends into lines and the pixels that follow a preview's line.
package struct LinkSplitter {
    package enum Part: Hashable {
        /// Without its line feed; empty lines are left out.
        case line([UInt8])
        case pixels([UInt8])
        /// More than `maxLineBytes` without a line feed. Nothing comes after it.
        case overlong
    }

    let maxLineBytes: Int
    private var buffer: [UInt8] = []
    private var start = 0
    /// Up to here there is no line feed.
    private var searched = 0
    private var wanted = 0
    private var isOverlong = false

    package init(maxLineBytes: Int = 4 << 20) { self.maxLineBytes = maxLineBytes }

    package mutating func add(_ bytes: [UInt8]) {
        guard !isOverlong else { return }
        if start > 0 {
            buffer.removeFirst(start)
            searched -= start
            start = 0
        }
        buffer += bytes
    }

    /// The next bytes are pixels: call it after the line that says so, before `next`.
    package mutating func expectPixels(_ count: Int) { wanted = count }

    package mutating func next() -> Part? {
        guard !isOverlong else { return nil }
        if wanted > 0 {
            guard buffer.count - start >= wanted else { return nil }
            defer {
                start += wanted
                searched = start
                wanted = 0
            }
            return .pixels(Array(buffer[start..<(start + wanted)]))
        }
        while let end = buffer[max(searched, start)...].firstIndex(of: UInt8(ascii: "\n")) {
            let line = Array(buffer[start..<end])
            start = end + 1
            searched = start
            guard line.count <= maxLineBytes else { return overflow() }
            if !line.isEmpty { return .line(line) }
        }
        searched = buffer.count
        return buffer.count - start > maxLineBytes ? overflow() : nil
    }

    private mutating func overflow() -> Part {
        isOverlong = true
        buffer = []
        return .overlong
    }
}
