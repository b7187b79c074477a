/// Reads the fields of a packet that may come from a process run wild: each read returns `nil` instead of going past the end.
struct PacketReader {
    private let bytes: UnsafeRawBufferPointer
    private var position = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var isAtEnd: Bool { position == bytes.count }

    mutating func integer<T: FixedWidthInteger>(_: T.Type) -> T? {
        guard bytes.count - position >= MemoryLayout<T>.size else { return nil }
        defer { position += MemoryLayout<T>.size }
        return T(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: T.self))
    }

    /// Also `nil` for anything but a finite number within `range`.
    mutating func double(in range: ClosedRange<Double>) -> Double? {
        guard let pattern = integer(UInt64.self) else { return nil }
        let value = Double(bitPattern: pattern)
        return range.contains(value) ? value : nil
    }

    /// Leaves out the rest.
    mutating func skip() { position = bytes.count }

    mutating func take(_ count: Int) -> [UInt8]? {
        guard count >= 0, bytes.count - position >= count else { return nil }
        defer { position += count }
        return Array(bytes[position..<position + count])
    }

    /// Length in one byte, then the bytes.
    mutating func short(atMost limit: Int) -> [UInt8]? {
        guard let count = integer(UInt8.self), Int(count) <= limit else { return nil }
        return take(Int(count))
    }

    /// Length in two bytes, then the bytes.
    mutating func long(atMost limit: Int) -> [UInt8]? {
        guard let count = integer(UInt16.self), Int(count) <= limit else { return nil }
        return take(Int(count))
    }

    mutating func shortText() -> String? {
        short(atMost: ReaderLimits.maxShortBytes).flatMap { String(validating: $0, as: UTF8.self) }
    }
}
