import Vocabulary

/// Which build a reader process is of. Station and reader come from one package; any other pair is refused.
package struct ReaderBuild: Hashable, Sendable {
    /// `ReaderLimits.protocolVersion` of its build.
    package var protocolVersion: UInt16
    /// `StationVersion.text` of its build; empty if it speaks another protocol, as nobody knows where that has it.
    package var version: String

    /// This build.
    package static let own = ReaderBuild(protocolVersion: ReaderLimits.protocolVersion, version: StationVersion.text)

    package init(protocolVersion: UInt16, version: String) {
        self.protocolVersion = protocolVersion
        self.version = version
    }

    /// Why this program can't work with it; `nil` if it can.
    package func refusal(of executable: String) -> String? {
        guard self != .own else { return nil }
        let its =
            protocolVersion == Self.own.protocolVersion
            ? "is of version \(version), this program of \(Self.own.version)"
            : "speaks version \(protocolVersion) of the reader protocol, this program \(Self.own.protocolVersion)"
        return "the reader process \"\(executable)\" \(its): install both from the same package"
    }

    func encode(to packet: inout PacketWriter) {
        packet.put(protocolVersion)
        packet.putShort(version.utf8)
    }

    /// What follows the protocol's version is read only if it is ours.
    init?(_ packet: inout PacketReader) {
        guard let protocolVersion = packet.integer(UInt16.self) else { return nil }
        guard protocolVersion == ReaderLimits.protocolVersion else {
            packet.skip()
            self.init(protocolVersion: protocolVersion, version: "")
            return
        }
        guard let version = packet.shortText(), version.isOneLine else { return nil }
        self.init(protocolVersion: protocolVersion, version: version)
    }
}
