import Vocabulary

/// The fields of a refuted code in a packet.
extension RefutedCode {
    /// `false` if it is longer than any such code.
    func encode(to packet: inout PacketWriter) -> Bool {
        guard bytes.count <= ReaderLimits.maxRefutedBytes else { return false }
        packet.put(symbology.code)
        packet.putShort(bytes)
        return true
    }

    init?(_ packet: inout PacketReader) {
        guard let symbology = packet.integer(UInt8.self).flatMap(Symbology.init(code:)),
            let bytes = packet.short(atMost: ReaderLimits.maxRefutedBytes)
        else { return nil }
        self.init(symbology: symbology, bytes: bytes)
    }
}
