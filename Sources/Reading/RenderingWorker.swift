import ReaderProtocol
import Vocabulary

/// A reader process with a canvas that it draws pictures on.
final class RenderingWorker {
    enum Outcome {
        /// The picture's own size, and what is missing from it.
        case shown(FrameSize, damage: String?)
        case refused(String)
        /// The process is gone.
        case lost(WorkerLoss)
    }

    let canvas: Canvas
    private let conversation: WorkerConversation

    init(executable: String, arguments: [String], frame: FrameSize) throws(ReaderError) {
        canvas = try Canvas(frame: frame)
        conversation = try WorkerConversation(executable: executable, arguments: arguments)
        guard conversation.send(.canvas(byteCount: canvas.byteCount), descriptor: canvas.descriptor) else {
            throw ReaderError(
                "the reader process \"\(executable)\" takes no canvas: it ended after its start; try again")
        }
    }

    var isAlive: Bool { conversation.isAlive }
    var process: WorkerProcess { conversation.process }

    func show(
        _ order: ReaderRequest.ShowOrder, _ file: borrowing PictureFile, until deadline: Instant
    ) -> Outcome {
        var answer = AnswerAssembler()
        answer.expect(ticket: order.ticket)
        conversation.send(.show(order), descriptor: file.descriptor)
        var size: FrameSize?
        var damage: String?
        while true {
            switch conversation.next(until: deadline) {
            case .tooLate: return .lost(.timedOut)
            case .lost(let loss): return .lost(loss)
            case .answer(let packet):
                switch answer.take(packet) {
                case .opened(let opened): size = opened
                case .damaged(let text): damage = text
                case .refused(let reason): return .refused(reason)
                case .complete:
                    guard let size else { return .lost(.garbage) }
                    return .shown(size, damage: damage)
                case .incomplete, .pass, .garbage: return .lost(.garbage)
                }
            }
        }
    }
}
