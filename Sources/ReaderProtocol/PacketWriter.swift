import Vocabulary

/// Writes the fields of a packet, little endian.
struct PacketWriter {
    private(set) var bytes: [UInt8] = []

    mutating func put(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func put(_ value: Double) { put(value.bitPattern) }

    /// Length in one byte, then the bytes. The caller has checked that there are at most 255.
    mutating func putShort(_ value: some Collection<UInt8>) {
        put(UInt8(clamping: value.count))
        bytes.append(contentsOf: value.prefix(255))
    }

    /// Length in two bytes, then the bytes. The caller has checked that there are at most 65535.
    mutating func putLong(_ value: some Collection<UInt8>) {
        put(UInt16(clamping: value.count))
        bytes.append(contentsOf: value.prefix(65535))
    }
}
