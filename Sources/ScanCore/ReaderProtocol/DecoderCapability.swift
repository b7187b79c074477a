/// A decoder that a reader process is linked with.
public struct DecoderCapability: Hashable, Sendable {
    /// The library's name, such as `ZXing-C++`.
    public var library: String
    /// Its version as it reports it.
    public var version: String
    /// What it is used for here; sorted.
    public var symbologies: [Symbology]

    public init(library: String, version: String, symbologies: [Symbology]) {
        self.library = library
        self.version = version
        self.symbologies = symbologies.sorted()
    }

    func encode(to packet: inout PacketWriter) {
        packet.putShort(library.utf8.prefix(ReaderLimits.maxShortBytes))
        packet.putShort(version.utf8.prefix(ReaderLimits.maxShortBytes))
        packet.putShort(symbologies.map(\.code))
    }

    init?(_ packet: inout PacketReader) {
        guard let library = packet.shortText(), let version = packet.shortText(),
            let codes = packet.short(atMost: Symbology.allCases.count)
        else { return nil }
        let symbologies = codes.compactMap { Symbology(code: $0) }
        guard symbologies.count == codes.count else { return nil }
        self.init(library: library, version: version, symbologies: symbologies)
    }
}
