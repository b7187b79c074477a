/// What the program promises of every input, and broke.
struct BrokenPromise: Error, CustomStringConvertible {
    var promise: String
    var file: StaticString
    var line: UInt

    var description: String { "broken promise: \(promise) (\(file):\(line))" }
}

/// Throws unless `isKept`. `promise`: what should be true of any input, with what was found where that helps.
func demand(
    _ isKept: Bool, _ promise: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line
) throws {
    guard isKept else { throw BrokenPromise(promise: promise(), file: file, line: line) }
}
