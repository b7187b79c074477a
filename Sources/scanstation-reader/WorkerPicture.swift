import CImage
import CLinux
import Decoding
import ScanCore

/// Reads one picture file exhaustively, and reports passes and finds as it goes, so that the station can go on with another
/// process when a pass ends this one.
struct WorkerPicture {
    let order: ReaderRequest.PictureOrder
    let engine: DecodeEngine
    let fault: WorkerFault
    let send: (ReaderAnswer) -> Bool

    /// `false` when the station is gone or passed no file.
    func read(_ descriptor: Int32) -> Bool {
        var image = CImage_Luma()
        defer { CImage_free(&image) }
        // The file's bytes are let go of before decoding.
        guard let file = SharedBytes(descriptor: descriptor, byteCount: order.byteCount) else { return false }
        var message = [CChar](repeating: 0, count: 256)
        let status = CImage_decode(
            file.base.assumingMemoryBound(to: UInt8.self), Int(file.byteCount), order.maxPixels, &image, &message,
            message.count)
        guard status == CIMAGE_OK, let pixels = image.pixels else {
            return send(.refused(ticket: order.ticket, Self.text(message)))
        }
        let size = FrameSize(width: Int(image.width), height: Int(image.height))
        guard size.isReadable else {
            return send(.refused(ticket: order.ticket, "\(size) pixels are too many for one side"))
        }
        guard send(.opened(ticket: order.ticket, size)) else { return false }
        return read(LumaView(base: pixels, size: size, rowStride: size.width))
    }

    private func read(_ view: LumaView) -> Bool {
        var reported: [Symbol] = []
        var isConnected = true
        let start = CLinux_monotonic_ns()
        let symbols = engine.read(
            view, effort: .exhaustive, startingAtPass: order.firstPass
        ) { [engine] pass in
            if isConnected, engine.accepted != reported {
                reported = engine.accepted
                var answer = WorkerAnswer(ticket: order.ticket, send: send)
                isConnected = answer.stand(reported)
            }
            isConnected = isConnected && send(.pass(ticket: order.ticket, pass))
            fault.strike(pass: pass)
        }
        guard isConnected else { return false }
        var answer = WorkerAnswer(ticket: order.ticket, send: send)
        return answer.finish(symbols, nanoseconds: CLinux_monotonic_ns() - start)
    }

    private static func text(_ message: [CChar]) -> String {
        String(decoding: message.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
