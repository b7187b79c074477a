import CLinux
import Decoding
import ReaderProtocol
import Vocabulary

/// Reads one picture file exhaustively, and reports passes and finds along the way, so that the station can go on with another process when
/// a pass kills this one.
struct WorkerPicture {
    let order: ReaderRequest.PictureOrder
    let pictures: any PictureDecoder
    let engine: DecodeEngine
    let memory: WorkerMemory
    let fault: WorkerFault
    /// Its number, for faults.
    let frame: Int
    let send: (ReaderAnswer) -> Bool

    /// `false` when the station is gone or passed no file.
    func read(_ descriptor: Int32) -> Bool {
        guard let file = SharedBytes(descriptor: descriptor, byteCount: order.byteCount) else { return false }
        let picture: DecodedPicture
        do {
            picture = try pictures.decode(file, maxPixels: order.maxPixels, memory: memory) {
                fault.strikeInDecoding(frame: frame)
            }
        } catch {
            return send(.refused(ticket: order.ticket, error.message))
        }
        guard send(.opened(ticket: order.ticket, picture.view.size)) else { return false }
        if let damage = picture.damage, !send(.damaged(ticket: order.ticket, damage)) { return false }
        return withExtendedLifetime(picture.owner) {
            memory.bound(DecodeEngine.memoryBytes(for: picture.view.size))
            defer { memory.lift() }
            return read(picture.view)
        }
    }

    private static let crowded =
        "it is full of QR codes' finder patterns: to avoid taking minutes, some parts were not searched for QR codes"

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
        if engine.leftOutCrowds, !send(.damaged(ticket: order.ticket, Self.crowded)) { return false }
        let time = CLinux_monotonic_ns() - start
        guard let unread = explain(symbols, in: view) else { return false }
        var answer = WorkerAnswer(ticket: order.ticket, send: send)
        return answer.finish(symbols, nanoseconds: time, unread: unread)
    }

    /// Why what looks like a code wasn't read; empty if nobody asked, `nil` when the station is gone. What was read is sent before, in case
    /// this ends the process.
    private func explain(_ symbols: [Symbol], in view: LumaView) -> [UnreadCode]? {
        guard order.explains else { return [] }
        var answer = WorkerAnswer(ticket: order.ticket, send: send)
        guard answer.stand(symbols), send(.pass(ticket: order.ticket, ReaderLimits.explanation)) else { return nil }
        fault.strike(pass: ReaderLimits.explanation)
        return engine.unreadCodes(of: view, besides: symbols)
    }
}
