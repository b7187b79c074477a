import Vocabulary

/// The fields of a refuted number in a packet.
extension RefutedNumber {
    /// `false` if it has more digits than any such number.
    func encode(to packet: inout PacketWriter) -> Bool {
        guard bytes.count <= ReaderLimits.maxNumberDigits else { return false }
        packet.put(symbology.code)
        packet.putShort(bytes)
        return true
    }

    init?(_ packet: inout PacketReader) {
        guard let symbology = packet.integer(UInt8.self).flatMap(Symbology.init(code:)),
            let bytes = packet.short(atMost: ReaderLimits.maxNumberDigits)
        else { return nil }
        self.init(symbology: symbology, bytes: bytes)
    }
}
