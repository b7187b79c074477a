import Vocabulary

/// A decoder that a reader process is linked with.
package struct DecoderCapability: Hashable, Sendable {
    /// The library's name, such as `ZXing-C++`.
    package var library: String
    /// Its version as it reports it.
    package var version: String
    /// What it is used for here; sorted.
    package var symbologies: [Symbology]

    package init(library: String, version: String, symbologies: [Symbology]) {
        self.library = library
        self.version = version
        self.symbologies = symbologies.sorted()
    }

    func encode(to packet: inout PacketWriter) {
        packet.putShort(Self.bounded(library))
        packet.putShort(Self.bounded(version))
        packet.putShort(symbologies.map(\.code))
    }

    init?(_ packet: inout PacketReader) {
        guard let library = packet.shortText(), let version = packet.shortText(),
            let codes = packet.short(atMost: Symbology.allCases.count), library.isOneLine, version.isOneLine
        else { return nil }
        let symbologies = codes.compactMap { Symbology(code: $0) }
        // Each once and in order, as `encode` writes them.
        guard symbologies.count == codes.count, zip(symbologies, symbologies.dropFirst()).allSatisfy(<) else {
            return nil
        }
        self.init(library: library, version: version, symbologies: symbologies)
    }

    /// The longest beginning of the name that fits, cut between characters.
    private static func bounded(_ name: String) -> [UInt8] {
        var text = name.asOneLine[...]
        while text.utf8.count > ReaderLimits.maxShortBytes { text.removeLast() }
        return Array(text.utf8)
    }
}
