import Vocabulary

/// The fields of a place that isn't read, in a packet.
extension UnreadCode {
    private static let hasModuleWidth: UInt8 = 1
    private static let hasFigure: UInt8 = 2
    private static let hasSymbology: UInt8 = 4
    private static let isMatrix: UInt8 = 8
    private static let isPicture: UInt8 = 16
    private static let allFlags: UInt8 = 31

    /// `false` if a corner or a figure is out of range; then the packet is useless.
    func encode(to packet: inout PacketWriter) -> Bool {
        guard let cause = UnreadCause.allCases.firstIndex(of: cause),
            [moduleWidth, figure].allSatisfy({ $0.map(ReaderLimits.unreadFigures.contains) ?? true })
        else { return false }
        var flags: UInt8 =
            switch kind {
            case .linear: 0
            case .matrix: Self.isMatrix
            case .picture: Self.isPicture
            }
        if moduleWidth != nil { flags |= Self.hasModuleWidth }
        if figure != nil { flags |= Self.hasFigure }
        if symbology != nil { flags |= Self.hasSymbology }
        packet.put(UInt8(cause))
        packet.put(flags)
        guard corners.encode(to: &packet) else { return false }
        if let moduleWidth { packet.put(moduleWidth) }
        if let figure { packet.put(figure) }
        if let symbology { packet.put(symbology.code) }
        return true
    }

    init?(_ packet: inout PacketReader) {
        guard let cause = packet.integer(UInt8.self), cause < UnreadCause.allCases.count,
            let flags = packet.integer(UInt8.self), flags & ~Self.allFlags == 0, let corners = Quad(&packet)
        else { return nil }
        let kind: Kind
        switch flags & (Self.isMatrix | Self.isPicture) {
        case 0: kind = .linear
        case Self.isMatrix: kind = .matrix
        case Self.isPicture: kind = .picture
        default: return nil
        }
        self.init(corners: corners, kind: kind, cause: UnreadCause.allCases[Int(cause)])
        if flags & Self.hasModuleWidth != 0 {
            guard let width = packet.double(in: ReaderLimits.unreadFigures) else { return nil }
            moduleWidth = width
        }
        if flags & Self.hasFigure != 0 {
            guard let figure = packet.double(in: ReaderLimits.unreadFigures) else { return nil }
            self.figure = figure
        }
        if flags & Self.hasSymbology != 0 {
            guard let code = packet.integer(UInt8.self), let symbology = Symbology(code: code) else { return nil }
            self.symbology = symbology
        }
    }
}
