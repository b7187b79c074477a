import Vocabulary

/// A symbol's fields in a packet.
extension Symbol {
    private static let inverted: UInt8 = 1
    private static let hasText: UInt8 = 2
    /// The text is the bytes, read as UTF-8; it isn't sent twice.
    private static let textIsBytes: UInt8 = 4
    private static let hasAddOn: UInt8 = 8
    private static let isAppended: UInt8 = 16
    private static let allFlags: UInt8 = 31

    /// `false` if a field exceeds `ReaderLimits` or a corner is out of range; then the packet is useless.
    func encode(to packet: inout PacketWriter) -> Bool {
        let text = self.text.map { Array($0.utf8) }
        let id = structuredAppend?.id ?? ""
        guard bytes.count <= ReaderLimits.maxSymbolBytes, (text?.count ?? 0) <= ReaderLimits.maxTextBytes,
            [aim, addOn ?? "", id].allSatisfy({ $0.utf8.count <= ReaderLimits.maxShortBytes })
        else { return false }

        var flags: UInt8 = isInverted ? Self.inverted : 0
        if let text { flags |= text == bytes ? Self.hasText | Self.textIsBytes : Self.hasText }
        if addOn != nil { flags |= Self.hasAddOn }
        if structuredAppend != nil { flags |= Self.isAppended }
        packet.put(symbology.code)
        packet.put(flags)
        packet.put(evidence.decoder.rawValue)
        packet.put(evidence.pass)
        packet.put(UInt16(clamping: evidence.strength))
        packet.put(evidence.content)
        guard corners.encode(to: &packet) else { return false }
        packet.putShort(aim.utf8)
        packet.putLong(bytes)
        if let text, text != bytes { packet.putLong(text) }
        if let addOn { packet.putShort(addOn.utf8) }
        if let structuredAppend {
            packet.put(UInt32(clamping: structuredAppend.index))
            packet.put(UInt32(clamping: structuredAppend.count))
            packet.putShort(structuredAppend.id.utf8)
        }
        return true
    }

    init?(_ packet: inout PacketReader) {
        guard let code = packet.integer(UInt8.self), let symbology = Symbology(code: code),
            let flags = packet.integer(UInt8.self), flags & ~Self.allFlags == 0,
            let evidence = Evidence(&packet), let corners = Quad(&packet), let aim = packet.shortText(),
            let bytes = packet.long(atMost: ReaderLimits.maxSymbolBytes)
        else { return nil }
        self.init(
            symbology: symbology, aim: aim, bytes: bytes, text: nil, corners: corners,
            isInverted: flags & Self.inverted != 0, evidence: evidence)

        if flags & Self.hasText != 0 {
            let source = flags & Self.textIsBytes != 0 ? bytes : packet.long(atMost: ReaderLimits.maxTextBytes)
            guard let source, let text = String(validating: source, as: UTF8.self) else { return nil }
            // Each symbol has only one form: nothing is sent twice.
            guard flags & Self.textIsBytes != 0 || source != bytes else { return nil }
            self.text = text
        } else if flags & Self.textIsBytes != 0 {
            return nil
        }
        if flags & Self.hasAddOn != 0 {
            guard let addOn = packet.shortText() else { return nil }
            self.addOn = addOn
        }
        if flags & Self.isAppended != 0 {
            guard let index = packet.integer(UInt32.self), let count = packet.integer(UInt32.self),
                let id = packet.shortText()
            else { return nil }
            structuredAppend = StructuredAppend(index: Int(index), count: Int(count), id: id)
        }
    }
}

extension Evidence {
    fileprivate init?(_ packet: inout PacketReader) {
        guard let code = packet.integer(UInt8.self), let decoder = Decoder(rawValue: code),
            let pass = packet.integer(UInt8.self), let strength = packet.integer(UInt16.self),
            let content = packet.integer(UInt64.self)
        else { return nil }
        self.init(decoder: decoder, pass: pass, strength: Int(strength), content: content)
    }
}

extension Quad {
    /// `false` if a corner is out of range; then the packet is useless.
    func encode(to packet: inout PacketWriter) -> Bool {
        for corner in points {
            guard ReaderLimits.cornerRange.contains(corner.x), ReaderLimits.cornerRange.contains(corner.y) else {
                return false
            }
            packet.put(corner.x)
            packet.put(corner.y)
        }
        return true
    }

    init?(_ packet: inout PacketReader) {
        var points: [Point] = []
        for _ in 0..<4 {
            guard let x = packet.double(in: ReaderLimits.cornerRange),
                let y = packet.double(in: ReaderLimits.cornerRange)
            else { return nil }
            points.append(Point(x: x, y: y))
        }
        self.init(points[0], points[1], points[2], points[3])
    }
}
