import Vocabulary

/// The fields of a place where a code may be, in a packet.
extension CodePlace {
    /// `false` if a corner is out of range; then the packet is useless.
    func encode(to packet: inout PacketWriter) -> Bool {
        packet.put(kind.rawValue)
        return corners.encode(to: &packet)
    }

    init?(_ packet: inout PacketReader) {
        guard let kind = packet.integer(UInt8.self).flatMap(Kind.init(rawValue:)), let corners = Quad(&packet) else {
            return nil
        }
        self.init(kind: kind, corners: corners)
    }
}
