import Glibc

/// Strings for a C call that takes several.
enum CStrings {
    /// Calls `body` with an array of C strings (`NULL` for `nil`), which are valid only during the call.
    static func with<Result>(
        _ strings: [String?], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result
    ) -> Result {
        let copies = strings.map { string in string.flatMap { strdup($0) } }
        defer { for copy in copies { free(copy) } }
        let pointers = copies.map { copy in copy.map { UnsafePointer($0) } }
        return pointers.withUnsafeBufferPointer { buffer in
            // An empty array may have no address.
            guard let start = buffer.baseAddress else { return withUnsafePointer(to: nil) { body($0) } }
            return body(start)
        }
    }
}
