import Vocabulary

/// What a reader process sends; one packet each, little endian, the first byte is the kind. The answer to a frame is its symbols, one packet
/// each, and `done`; to a picture: `opened`, perhaps `damaged`, then for each pass perhaps `symbol`… `standing`, and `pass`, then as for a
/// frame; to a picture to show: `opened`, perhaps `damaged`, and `done`.
package enum ReaderAnswer: Hashable, Sendable {
    /// It is waiting for requests, and is confined to computing unless the kernel can't do that.
    case ready(ReaderBuild, isConfined: Bool)
    /// Corners are normalised to the view that was read.
    case symbol(ticket: UInt64, Symbol)
    case done(ticket: UInt64, Summary)
    /// The picture was opened, and has this size.
    case opened(ticket: UInt64, FrameSize)
    /// An exhaustive read begins this pass.
    case pass(ticket: UInt64, Int)
    /// The symbols just sent, this many, are what an exhaustive read considers right so far; earlier ones don't count.
    case standing(ticket: UInt64, symbolCount: Int)
    /// Part of the opened picture is missing or wrong; the rest is still read.
    case damaged(ticket: UInt64, String)
    /// Not read, and why.
    case refused(ticket: UInt64, String)
    case capability(DecoderCapability)

    /// The end of one answer.
    package struct Summary: Hashable, Sendable {
        /// Number of `symbol` packets before it.
        package var symbolCount: Int
        /// How many symbols weren't sent because of a limit.
        package var omittedCount: Int
        package var decodeNanoseconds: UInt64
        /// The ladder has no more passes.
        package var isLadderOver: Bool
        /// What looks like a code and isn't read, if that was asked for; at most `ReaderLimits.maxUnreadCodes`.
        package var unread: [UnreadCode]
        /// Where codes may be in a live frame, read or not; at most `ReaderLimits.maxPlaces`. Corners are normalised to the view that was read.
        package var places: [CodePlace]
        /// Codes of a live frame that the soft reader contradicts; at most `ReaderLimits.maxRefuted`.
        package var refuted: [RefutedCode]

        package init(
            symbolCount: Int, omittedCount: Int, decodeNanoseconds: UInt64, isLadderOver: Bool = false,
            unread: [UnreadCode] = [], places: [CodePlace] = [], refuted: [RefutedCode] = []
        ) {
            self.symbolCount = symbolCount
            self.omittedCount = omittedCount
            self.decodeNanoseconds = decodeNanoseconds
            self.isLadderOver = isLadderOver
            self.unread = unread
            self.places = places
            self.refuted = refuted
        }
    }

    /// `nil` if a symbol, or a place that isn't read, exceeds `ReaderLimits`.
    package func encode() -> [UInt8]? {
        var packet = PacketWriter()
        switch self {
        case .ready(let build, let isConfined):
            packet.put(UInt8(1))
            build.encode(to: &packet)
            packet.put(UInt8(isConfined ? 1 : 0))
        case .symbol(let ticket, let symbol):
            packet.put(UInt8(2))
            packet.put(ticket)
            guard symbol.encode(to: &packet) else { return nil }
        case .done(let ticket, let summary):
            packet.put(UInt8(3))
            packet.put(ticket)
            packet.put(UInt16(clamping: summary.symbolCount))
            packet.put(UInt32(clamping: summary.omittedCount))
            packet.put(summary.decodeNanoseconds)
            packet.put(UInt8(summary.isLadderOver ? 1 : 0))
            packet.put(UInt8(clamping: summary.unread.count))
            guard summary.unread.count <= ReaderLimits.maxUnreadCodes,
                summary.unread.allSatisfy({ $0.encode(to: &packet) }), summary.places.count <= ReaderLimits.maxPlaces
            else { return nil }
            packet.put(UInt8(summary.places.count))
            guard summary.places.allSatisfy({ $0.encode(to: &packet) }),
                summary.refuted.count <= ReaderLimits.maxRefuted
            else { return nil }
            packet.put(UInt8(summary.refuted.count))
            guard summary.refuted.allSatisfy({ $0.encode(to: &packet) }) else { return nil }
        case .opened(let ticket, let size):
            packet.put(UInt8(4))
            packet.put(ticket)
            packet.put(UInt32(clamping: size.width))
            packet.put(UInt32(clamping: size.height))
        case .pass(let ticket, let number):
            packet.put(UInt8(5))
            packet.put(ticket)
            packet.put(UInt32(clamping: number))
        case .standing(let ticket, let count):
            packet.put(UInt8(8))
            packet.put(ticket)
            packet.put(UInt16(clamping: count))
        case .refused(let ticket, let message):
            packet.put(UInt8(6))
            packet.put(ticket)
            packet.putLong(Self.bounded(message))
        case .damaged(let ticket, let message):
            packet.put(UInt8(9))
            packet.put(ticket)
            packet.putLong(Self.bounded(message))
        case .capability(let capability):
            packet.put(UInt8(7))
            capability.encode(to: &packet)
        }
        return packet.bytes
    }

    /// `nil` for anything that `encode()` doesn't produce: the packet comes from a process that reads hostile pixels.
    package init?(_ bytes: UnsafeRawBufferPointer) {
        var packet = PacketReader(bytes)
        guard bytes.count <= ReaderLimits.maxPacketLength, let kind = packet.integer(UInt8.self),
            let answer = Self.decode(kind, &packet), packet.isAtEnd
        else { return nil }
        self = answer
    }

    private static func decode(_ kind: UInt8, _ packet: inout PacketReader) -> ReaderAnswer? {
        switch kind {
        case 1:
            guard let build = ReaderBuild(&packet) else { return nil }
            // Another protocol's packet is known as far as its version.
            guard build.protocolVersion == ReaderLimits.protocolVersion else { return .ready(build, isConfined: false) }
            guard let confined = packet.integer(UInt8.self), confined <= 1 else { return nil }
            return .ready(build, isConfined: confined == 1)
        case 7: return DecoderCapability(&packet).map(Self.capability)
        default: break
        }
        guard let ticket = packet.integer(UInt64.self) else { return nil }
        switch kind {
        case 2:
            return Symbol(&packet).map { .symbol(ticket: ticket, $0) }
        case 3:
            guard let count = packet.integer(UInt16.self), count <= ReaderLimits.maxSymbolsPerFrame,
                let omitted = packet.integer(UInt32.self), let time = packet.integer(UInt64.self), time < 1 << 62,
                let over = packet.integer(UInt8.self), over <= 1, let unreadCount = packet.integer(UInt8.self),
                unreadCount <= ReaderLimits.maxUnreadCodes
            else { return nil }
            var unread: [UnreadCode] = []
            for _ in 0..<unreadCount {
                guard let code = UnreadCode(&packet) else { return nil }
                unread.append(code)
            }
            guard let placeCount = packet.integer(UInt8.self), placeCount <= ReaderLimits.maxPlaces else { return nil }
            var places: [CodePlace] = []
            for _ in 0..<placeCount {
                guard let place = CodePlace(&packet) else { return nil }
                places.append(place)
            }
            guard let refutedCount = packet.integer(UInt8.self), refutedCount <= ReaderLimits.maxRefuted else {
                return nil
            }
            var refuted: [RefutedCode] = []
            for _ in 0..<refutedCount {
                guard let code = RefutedCode(&packet) else { return nil }
                refuted.append(code)
            }
            let summary = Summary(
                symbolCount: Int(count), omittedCount: Int(omitted), decodeNanoseconds: time, isLadderOver: over == 1,
                unread: unread, places: places, refuted: refuted)
            return .done(ticket: ticket, summary)
        case 4:
            guard let width = packet.integer(UInt32.self), let height = packet.integer(UInt32.self) else { return nil }
            let size = FrameSize(width: Int(width), height: Int(height))
            return size.isReadable ? .opened(ticket: ticket, size) : nil
        case 5:
            guard let number = packet.integer(UInt32.self), number <= ReaderLimits.maxPasses else { return nil }
            return .pass(ticket: ticket, Int(number))
        case 8:
            guard let count = packet.integer(UInt16.self), count <= ReaderLimits.maxSymbolsPerFrame else { return nil }
            return .standing(ticket: ticket, symbolCount: Int(count))
        case 6: return message(&packet).map { .refused(ticket: ticket, $0) }
        case 9: return message(&packet).map { .damaged(ticket: ticket, $0) }
        default:
            return nil
        }
    }

    private static func message(_ packet: inout PacketReader) -> String? {
        packet.long(atMost: ReaderLimits.maxMessageBytes).flatMap { String(validating: $0, as: UTF8.self) }
            .flatMap { $0.isOneLine ? $0 : nil }
    }

    /// The longest beginning of `message` that fits, cut between characters, as one line.
    private static func bounded(_ message: String) -> [UInt8] {
        var text = message.asOneLine.unicodeScalars[...]
        var length = text.reduce(0) { $0 + UTF8.width($1) }
        while length > ReaderLimits.maxMessageBytes, let last = text.popLast() { length -= UTF8.width(last) }
        return Array(String(text).utf8)
    }
}
