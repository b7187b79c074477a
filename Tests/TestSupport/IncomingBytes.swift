import Glibc
import Linux

/// What came in and wasn't taken yet: lines, or so many bytes.
///
/// Not the product's `LineSplitter`, which leaves out empty lines and carriage returns: a peer gets each line as it came, or it would overlook
/// what shouldn't have been sent.
package struct IncomingBytes: Sendable {
    package private(set) var bytes: ArraySlice<UInt8> = []

    package init() {}

    /// Reads once, at most `limit` bytes; waits if the descriptor does. Returns what read(2) does: 0 at the end, negative for an error.
    package mutating func fill(from descriptor: Int32, limit: Int = 65_536) -> Int {
        var count = 0
        bytes += [UInt8](unsafeUninitializedCapacity: limit) { buffer, initialized in
            count = uninterrupted { Glibc.read(descriptor, buffer.baseAddress, limit) }
            initialized = max(0, count)
        }
        return count
    }

    /// Up to the next line feed, without it; `nil` while there is none.
    package mutating func line() -> ArraySlice<UInt8>? {
        guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        defer { bytes = bytes[(end + 1)...] }
        return bytes[..<end]
    }

    /// The first `count` bytes, or all if there are fewer.
    package mutating func take(_ count: Int) -> ArraySlice<UInt8> {
        defer { bytes = bytes.dropFirst(count) }
        return bytes.prefix(count)
    }
}
