import CLinux
import ReaderProtocol
import Vocabulary

/// Decodes one picture file and puts it on a frame, for a replay: the station itself never opens a picture that somebody gave it.
struct WorkerShow {
    let order: ReaderRequest.ShowOrder
    let pictures: any PictureDecoder
    let memory: WorkerMemory
    let send: (ReaderAnswer) -> Bool

    /// `false` when the station is gone, passed no file, or wants more than the canvas holds.
    func draw(_ descriptor: Int32, on canvas: SharedBytes?) -> Bool {
        guard let canvas, let target = canvas.writable, order.fits(canvasBytes: canvas.byteCount),
            let file = SharedBytes(descriptor: descriptor, byteCount: order.byteCount)
        else { return false }
        let start = CLinux_monotonic_ns()
        let picture: DecodedPicture
        do {
            picture = try pictures.decode(file, maxPixels: order.maxPixels, memory: memory) {}
        } catch {
            return send(.refused(ticket: order.ticket, error.message))
        }
        guard send(.opened(ticket: order.ticket, picture.view.size)) else { return false }
        if let damage = picture.damage, !send(.damaged(ticket: order.ticket, damage)) { return false }
        withExtendedLifetime(picture.owner) {
            let size = picture.view.size
            let pixels = UnsafeBufferPointer(
                start: picture.view.base.assumingMemoryBound(to: UInt8.self), count: size.width * size.height)
            let frame = UnsafeMutableBufferPointer(
                start: target.assumingMemoryBound(to: UInt8.self), count: order.frame.width * order.frame.height)
            Letterbox.fit(pixels, size: size, into: order.frame, frame)
        }
        var answer = WorkerAnswer(ticket: order.ticket, send: send)
        return answer.finish([], nanoseconds: CLinux_monotonic_ns() - start)
    }
}
