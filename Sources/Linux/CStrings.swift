import Glibc

extension String {
    /// The text in an array of C characters up to its NUL, or all of it when there is none.
    package init(untilNUL characters: some Sequence<CChar>) {
        self.init(decoding: characters.lazy.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// The same for a field of a C struct, which Swift sees as a tuple.
    package init<Field>(untilNUL field: Field) {
        self = withUnsafeBytes(of: field) { bytes in String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) }
    }
}

/// Calls `body` with a NULL-ended array of C strings, as `execve` wants it. `nil`: NULL.
package func withCStrings<Result>(
    _ strings: [String?], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
    var copies = strings.map { string in string.flatMap { strdup($0) } } + [nil]
    defer { for copy in copies { free(copy) } }
    return copies.withUnsafeMutableBufferPointer { buffer in
        // Not empty: it has the NULL.
        body(UnsafePointer(buffer.baseAddress.unsafelyUnwrapped))
    }
}

/// The same for a call that takes them as constants.
package func withConstantCStrings<Result>(
    _ strings: [String?], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result
) -> Result {
    withCStrings(strings) { pointers in
        pointers.withMemoryRebound(to: UnsafePointer<CChar>?.self, capacity: strings.count + 1) { body($0) }
    }
}
