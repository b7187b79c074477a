/// Cuts what the program writes into lines. Of a line that is too long, the beginning counts: the program goes on, and so do we.
struct RpicamLines: Sendable {
    private let longest: Int
    /// Has no line feed yet.
    private(set) var partial: [UInt8] = []

    init(longest: Int) { self.longest = longest }

    /// The lines that end in these bytes, empty ones too, without their line feeds.
    mutating func add(_ bytes: some Sequence<UInt8>) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        for byte in bytes {
            if byte == UInt8(ascii: "\n") {
                lines.append(partial)
                partial = []
            } else if partial.count < longest {
                partial.append(byte)
            }
        }
        return lines
    }
}
