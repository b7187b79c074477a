/// The bytes of one input, taken from the front: choices first, then what is tried. Beyond the end there are zeros.
struct FuzzInput {
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: some Sequence<UInt8>) { rest = Array(bytes)[...] }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    /// One of them, by the next byte: letters and digits spread well, so that seeds can be read.
    mutating func choice<Choice>(of choices: [Choice]) -> Choice { choices[Int(byte()) % choices.count] }

    mutating func take(_ count: Int) -> [UInt8] {
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    /// Everything that is left.
    mutating func all() -> [UInt8] { take(rest.count) }
}
