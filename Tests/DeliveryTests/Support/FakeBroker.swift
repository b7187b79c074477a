import Settings
import TestSupport
import Testing

/// A listening socket on which a test speaks MQTT, or something else, byte by byte.
final class FakeBroker: Sendable {
    private let host: TCPHost

    init() throws { host = try TCPHost() }

    func settings(_ change: (inout MQTTSettings) -> Void = { _ in }) -> MQTTSettings {
        var settings = MQTTSettings(host: "127.0.0.1")
        settings.port = host.port
        change(&settings)
        return settings
    }

    func accept() async throws -> ByteEnd {
        let client = await host.accept()
        guard client.number >= 0 else { throw PeerFailure("nobody connected") }
        return client
    }

    /// Accepts a client, reads its CONNECT and says yes, in MQTT 5.
    func welcome() async throws -> ByteEnd {
        let client = try await accept()
        try #require(await client.readPacket()?.kind == .connect)
        await client.write([0x20, 0x03, 0x00, 0x00, 0x00])
        return client
    }
}

struct MQTTPacket: Hashable {
    enum Kind: UInt8 { case connect = 1, publish = 3, subscribe = 8, ping = 12, disconnect = 14, other = 0 }

    var kind: Kind
    var body: [UInt8]

    /// The topic of a PUBLISH.
    var topic: String {
        guard body.count >= 2 else { return "" }
        let length = Int(body[0]) << 8 | Int(body[1])
        return String(decoding: body.dropFirst(2).prefix(length), as: UTF8.self)
    }

    /// The packet identifier of a PUBLISH with QoS 1.
    var id: [UInt8] { Array(body.dropFirst(2 + topic.utf8.count).prefix(2)) }

    /// The protocol's version in a CONNECT.
    var level: UInt8? { body.count > 6 ? body[6] : nil }
}

extension ByteEnd {
    /// `nil`: the other side closed.
    func readPacket() async -> MQTTPacket? {
        guard let first = await read(1).first else { return nil }
        var length = 0
        var shift = 0
        while let byte = await read(1).first {
            length |= Int(byte & 0x7F) << shift
            shift += 7
            if byte & 0x80 == 0 { break }
        }
        let body = length == 0 ? [] : await read(length)
        return MQTTPacket(kind: MQTTPacket.Kind(rawValue: first >> 4) ?? .other, body: body)
    }

    /// Packets up to the first that fits.
    func firstPacket(_ fits: (MQTTPacket) -> Bool) async -> MQTTPacket? {
        while let packet = await readPacket() {
            if fits(packet) { return packet }
        }
        return nil
    }
}
