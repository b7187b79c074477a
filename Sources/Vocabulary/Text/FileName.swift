/// A file's name or path as the system has it: bytes, which need not be UTF-8 (an old camera's card, a foreign archive).
package struct FileName: Hashable, Sendable, Comparable, CustomStringConvertible {
    package var bytes: [UInt8]

    package init(bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }
    package init(_ text: String) { bytes = Array(text.utf8) }

    /// Up to its zero.
    package init(cString: UnsafePointer<CChar>) {
        var end = cString
        while end.pointee != 0 { end += 1 }
        bytes = UnsafeBufferPointer(start: cString, count: end - cString).map(UInt8.init(bitPattern:))
    }

    /// For display: bytes that aren't UTF-8 as `\xE9`.
    package var description: String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        var text = ""
        var rest = bytes[...]
        while let byte = rest.first {
            // The longest character that is complete here; a character has at most four bytes.
            let length = (1...min(4, rest.count)).first { String(validating: rest.prefix($0), as: UTF8.self) != nil }
            if let length {
                text += String(decoding: rest.prefix(length), as: UTF8.self)
                rest = rest.dropFirst(length)
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                text += "\\x" + (digits.count < 2 ? "0" : "") + digits
                rest = rest.dropFirst()
            }
        }
        return text
    }

    /// What follows the last slash.
    package var last: FileName {
        FileName(bytes: bytes.lastIndex(of: Self.slash).map { bytes[($0 + 1)...] } ?? bytes[...])
    }

    /// What follows the name's last dot, in lower case; `nil` without one.
    package var ending: String? {
        let name = last.bytes
        return name.lastIndex(of: UInt8(ascii: ".")).map {
            String(decoding: name[($0 + 1)...], as: UTF8.self).lowercased()
        }
    }

    package var isHidden: Bool { last.bytes.first == UInt8(ascii: ".") }

    /// A name in this folder.
    package func appending(_ name: FileName) -> FileName {
        FileName(bytes: bytes + (bytes.last == Self.slash ? [] : [Self.slash]) + name.bytes)
    }

    /// As the C library wants it. A name that contains a zero ends there. Throws what `body` throws.
    package func withCString<R>(_ body: (UnsafePointer<CChar>) throws -> R) rethrows -> R {
        try (bytes + [0]).withUnsafeBytes { raw in
            // Not empty: it has the zero.
            try body(raw.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: CChar.self))
        }
    }

    package static func < (a: FileName, b: FileName) -> Bool { a.bytes.lexicographicallyPrecedes(b.bytes) }

    private static let slash = UInt8(ascii: "/")
}
