import CLinux
import Decoding
import Glibc
import ReaderProtocol

/// Takes one request after another from the station and answers it. One thread; ends when the station closes the channel.
final class WorkerLoop {
    /// Exit statuses, after sysexits.h.
    private static let protocolError: Int32 = 76
    private static let osError: Int32 = 71

    private let channel: Int32
    private let isConfined: Bool
    private let fault: WorkerFault
    private var engine = DecodeEngine(rules: DecodeRules(symbologies: [:]))
    private var ring: SharedBytes?
    private var canvas: SharedBytes?
    private let memory: WorkerMemory
    private let pictures: (any PictureDecoder)?
    private var frames = 0

    init(channel: Int32, isConfined: Bool, memory: WorkerMemory, pictures: (any PictureDecoder)?, fault: WorkerFault) {
        self.channel = channel
        self.isConfined = isConfined
        self.memory = memory
        self.pictures = pictures
        self.fault = fault
    }

    /// The exit status.
    func run() -> Int32 {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: ReaderLimits.maxPacketLength, alignment: 8)
        defer { buffer.deallocate() }
        guard send(.ready(fault.build, isConfined: isConfined)) else { return Self.osError }
        while true {
            var descriptor: Int32 = -1
            let length = CLinux_receive(channel, buffer.baseAddress, buffer.count, &descriptor, 1)
            guard length > 0 else { return length == 0 || length == Int(-ECONNRESET) ? 0 : Self.osError }
            defer { if descriptor >= 0 { close(descriptor) } }
            guard let request = ReaderRequest(UnsafeRawBufferPointer(rebasing: buffer[..<length])),
                handle(request, descriptor)
            else { return Self.protocolError }
        }
    }

    /// `false` when the station has asked for something impossible, or is gone.
    private func handle(_ request: ReaderRequest, _ descriptor: Int32) -> Bool {
        switch request {
        case .rules(let rules):
            engine = DecodeEngine(rules: rules)
            return true
        case .ring(let byteCount):
            ring = nil
            ring = SharedBytes(descriptor: descriptor, byteCount: byteCount)
            return ring != nil
        case .read(let order):
            return read(order)
        case .picture(let order):
            guard let pictures else { return false }
            frames += 1
            fault.strike(frame: frames, send: sendRaw)
            return WorkerPicture(
                order: order, pictures: pictures, engine: engine, memory: memory, fault: fault, frame: frames,
                send: send
            ).read(descriptor)
        case .canvas(let byteCount):
            canvas = nil
            canvas = SharedBytes(descriptor: descriptor, byteCount: byteCount, isWritable: true)
            return canvas != nil
        case .show(let order):
            guard let pictures else { return false }
            frames += 1
            fault.strike(frame: frames, send: sendRaw)
            return WorkerShow(order: order, pictures: pictures, memory: memory, send: send).draw(descriptor, on: canvas)
        case .capabilities:
            let capabilities = DecodeEngine.capabilities()
            guard capabilities.allSatisfy({ send(.capability($0)) }) else { return false }
            let summary = ReaderAnswer.Summary(symbolCount: 0, omittedCount: 0, decodeNanoseconds: 0)
            return send(.done(ticket: 0, summary))
        }
    }

    private func read(_ order: ReaderRequest.FrameOrder) -> Bool {
        switch order.effort {
        case .ladder: fault.strikeInLadder()
        case .diagnosis: break
        case .quick, .thorough, .exhaustive:
            frames += 1
            fault.strike(frame: frames, send: sendRaw)
        }
        guard let ring, order.fits(ringBytes: ring.byteCount) else { return false }
        let view = LumaView(base: ring.base + Int(order.offset), size: order.size, rowStride: order.rowStride)
        let start = CLinux_monotonic_ns()
        let symbols = engine.read(view, effort: order.effort)
        let unread = order.effort == .diagnosis ? engine.unreadCodes(of: view, besides: []) : []
        let time = CLinux_monotonic_ns() - start
        var answer = WorkerAnswer(ticket: order.ticket, send: send)
        return answer.finish(
            symbols, nanoseconds: time, isLadderOver: engine.isLadderOver, unread: unread, places: engine.places,
            refuted: engine.refuted)
    }

    private func send(_ answer: ReaderAnswer) -> Bool {
        guard let bytes = answer.encode() else { return false }
        return CLinux_send(channel, bytes, bytes.count, -1, 1) == bytes.count
    }

    private func sendRaw(_ bytes: [UInt8]) { CLinux_send(channel, bytes, bytes.count, -1, 1) }
}
