import Vocabulary

/// What the station asks of a reader process; one packet each, little endian, the first byte is the kind.
package enum ReaderRequest: Hashable, Sendable {
    /// The rules from now on.
    case rules(DecodeRules)
    /// From now on, frames are in the attached memory, of this many bytes.
    case ring(byteCount: UInt64)
    case read(FrameOrder)
    /// The picture file's bytes are in the attached memory.
    case picture(PictureOrder)
    /// Asks what the linked decoders can do.
    case capabilities
    /// From now on, pictures to show go into the attached memory, of this many bytes.
    case canvas(byteCount: UInt64)
    /// The picture file's bytes are in the attached memory: put the picture on a frame in the canvas.
    case show(ShowOrder)

    /// Read one frame of the ring.
    package struct FrameOrder: Hashable, Sendable {
        /// Comes back with every answer.
        package var ticket: UInt64
        /// The first sample's offset from the start of the ring.
        package var offset: UInt64
        package var size: FrameSize
        package var rowStride: Int
        package var effort: ReadEffort

        package init(ticket: UInt64, offset: UInt64, size: FrameSize, rowStride: Int, effort: ReadEffort) {
            self.ticket = ticket
            self.offset = offset
            self.size = size
            self.rowStride = rowStride
            self.effort = effort
        }

        /// Whether every sample is within a ring of this many bytes.
        package func fits(ringBytes: UInt64) -> Bool {
            guard size.isReadable, rowStride >= size.width, rowStride <= ReaderLimits.maxDimension else { return false }
            let end = offset.addingReportingOverflow(UInt64(rowStride * (size.height - 1) + size.width))
            return !end.overflow && end.partialValue <= ringBytes
        }
    }

    /// Read one picture file exhaustively.
    package struct PictureOrder: Hashable, Sendable {
        package var ticket: UInt64
        /// Length of the file.
        package var byteCount: UInt64
        /// A picture with more pixels is refused.
        package var maxPixels: UInt64
        /// 0, or the pass after the one in which a reader died.
        package var firstPass: Int
        /// Also say why what looks like a code wasn't read.
        package var explains: Bool

        package init(ticket: UInt64, byteCount: UInt64, maxPixels: UInt64, firstPass: Int, explains: Bool = false) {
            self.ticket = ticket
            self.byteCount = byteCount
            self.maxPixels = maxPixels
            self.firstPass = firstPass
            self.explains = explains
        }
    }

    /// Decode one picture file and put it on a frame at the start of the canvas, rows without padding.
    package struct ShowOrder: Hashable, Sendable {
        package var ticket: UInt64
        /// Length of the file.
        package var byteCount: UInt64
        /// A picture with more pixels is refused.
        package var maxPixels: UInt64
        package var frame: FrameSize

        package init(ticket: UInt64, byteCount: UInt64, maxPixels: UInt64, frame: FrameSize) {
            self.ticket = ticket
            self.byteCount = byteCount
            self.maxPixels = maxPixels
            self.frame = frame
        }

        /// Whether the frame is within a canvas of this many bytes.
        package func fits(canvasBytes: UInt64) -> Bool {
            frame.isReadable && UInt64(frame.width * frame.height) <= canvasBytes
        }
    }

    package func encode() -> [UInt8] {
        var packet = PacketWriter()
        switch self {
        case .rules(let rules):
            packet.put(UInt8(1))
            packet.putLong(rules.encode())
        case .ring(let byteCount):
            packet.put(UInt8(2))
            packet.put(byteCount)
        case .read(let order):
            packet.put(UInt8(3))
            packet.put(order.ticket)
            packet.put(order.offset)
            packet.put(UInt32(clamping: order.size.width))
            packet.put(UInt32(clamping: order.size.height))
            packet.put(UInt32(clamping: order.rowStride))
            let (kind, turn) = Self.code(of: order.effort)
            packet.put(kind)
            packet.put(turn)
        case .picture(let order):
            packet.put(UInt8(4))
            packet.put(order.ticket)
            packet.put(order.byteCount)
            packet.put(order.maxPixels)
            packet.put(UInt32(clamping: order.firstPass))
            packet.put(UInt8(order.explains ? 1 : 0))
        case .capabilities:
            packet.put(UInt8(5))
        case .canvas(let byteCount):
            packet.put(UInt8(6))
            packet.put(byteCount)
        case .show(let order):
            packet.put(UInt8(7))
            packet.put(order.ticket)
            packet.put(order.byteCount)
            packet.put(order.maxPixels)
            packet.put(UInt32(clamping: order.frame.width))
            packet.put(UInt32(clamping: order.frame.height))
        }
        return packet.bytes
    }

    /// `nil` for anything that `encode()` doesn't produce.
    package init?(_ bytes: UnsafeRawBufferPointer) {
        var packet = PacketReader(bytes)
        guard let kind = packet.integer(UInt8.self), let request = Self.decode(kind, &packet), packet.isAtEnd else {
            return nil
        }
        self = request
    }

    private static func decode(_ kind: UInt8, _ packet: inout PacketReader) -> ReaderRequest? {
        switch kind {
        case 1:
            return packet.long(atMost: DecodeRules.maxEncodedLength).flatMap { DecodeRules($0) }.map(Self.rules)
        case 2:
            guard let count = packet.integer(UInt64.self), count > 0, count <= ReaderLimits.maxRingBytes else {
                return nil
            }
            return .ring(byteCount: count)
        case 3:
            return frameOrder(&packet).map(Self.read)
        case 4:
            guard let ticket = packet.integer(UInt64.self), let count = packet.integer(UInt64.self), count > 0,
                let maxPixels = packet.integer(UInt64.self), let firstPass = packet.integer(UInt32.self),
                firstPass <= ReaderLimits.maxPasses, let explains = packet.integer(UInt8.self), explains <= 1
            else { return nil }
            return .picture(
                PictureOrder(
                    ticket: ticket, byteCount: count, maxPixels: maxPixels, firstPass: Int(firstPass),
                    explains: explains == 1))
        case 5:
            return .capabilities
        case 6:
            guard let count = packet.integer(UInt64.self), count > 0, count <= ReaderLimits.maxRingBytes else {
                return nil
            }
            return .canvas(byteCount: count)
        case 7:
            guard let ticket = packet.integer(UInt64.self), let count = packet.integer(UInt64.self), count > 0,
                let maxPixels = packet.integer(UInt64.self), let width = packet.integer(UInt32.self),
                let height = packet.integer(UInt32.self)
            else { return nil }
            let frame = FrameSize(width: Int(width), height: Int(height))
            return frame.isReadable
                ? .show(ShowOrder(ticket: ticket, byteCount: count, maxPixels: maxPixels, frame: frame)) : nil
        default:
            return nil
        }
    }

    private static func frameOrder(_ packet: inout PacketReader) -> FrameOrder? {
        guard let ticket = packet.integer(UInt64.self), let offset = packet.integer(UInt64.self),
            let width = packet.integer(UInt32.self), let height = packet.integer(UInt32.self),
            let stride = packet.integer(UInt32.self), let kind = packet.integer(UInt8.self),
            let turn = packet.integer(UInt32.self), let effort = effort(kind, turn)
        else { return nil }
        let order = FrameOrder(
            ticket: ticket, offset: offset, size: FrameSize(width: Int(width), height: Int(height)),
            rowStride: Int(stride), effort: effort)
        return order.fits(ringBytes: .max) ? order : nil
    }

    private static func code(of effort: ReadEffort) -> (kind: UInt8, turn: UInt32) {
        switch effort {
        case .quick(let turn): (0, turn)
        case .thorough(let turn): (1, turn)
        case .exhaustive: (2, 0)
        case .diagnosis: (4, 0)
        case .ladder(let order):
            (3, UInt32(order.round) << 1 | (order.begins ? 1 : 0))
        }
    }

    private static func effort(_ kind: UInt8, _ turn: UInt32) -> ReadEffort? {
        switch kind {
        case 0: .quick(turn: turn)
        case 1: .thorough(turn: turn)
        case 2: turn == 0 ? .exhaustive : nil
        case 3:
            UInt16(exactly: turn >> 1).map { .ladder(.init(round: $0, begins: turn & 1 != 0)) }
        case 4: turn == 0 ? .diagnosis : nil
        default: nil
        }
    }
}

extension FrameSize {
    /// Neither empty nor beyond the protocol's bounds.
    package var isReadable: Bool {
        width > 0 && height > 0 && width <= ReaderLimits.maxDimension && height <= ReaderLimits.maxDimension
    }
}
