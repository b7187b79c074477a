import Dispatch
import ReaderProtocol
import Settings
import Vocabulary

/// Which symbology is read by which linked library, as a reader process says.
package struct DecoderInventory: Hashable, Sendable {
    package var decoders: [DecoderCapability]

    package init(decoders: [DecoderCapability]) { self.decoders = decoders }

    /// Libraries that read `symbology`; empty when none does.
    package func libraries(reading symbology: Symbology) -> [DecoderCapability] {
        decoders.filter { $0.symbologies.contains(symbology) }
    }

    /// What the settings ask for and no library reads, sorted.
    package func unreadable(in settings: ReadingSettings) -> [Symbology] {
        settings.symbologies.keys.filter { libraries(reading: $0).isEmpty }.sorted()
    }

    /// What is wrong with asking for a symbology that no library reads, and what to do.
    package static func refusal(of symbology: Symbology) -> String {
        "no linked library reads \(symbology.rawValue): take it out of reading.symbologies"
    }

    /// What is asked for in vain. What the standard table lists is no fault of the settings.
    package func refused(in settings: ReadingSettings) -> [Symbology] {
        settings.symbologies.keys == ReadingSettings.defaultSymbologies.keys ? [] : unreadable(in: settings)
    }

    /// Why the settings can't be used; `nil` when they can.
    package func problem(with settings: ReadingSettings) -> String? {
        let refusals = refused(in: settings).map(Self.refusal)
        return refusals.isEmpty ? nil : refusals.joined(separator: "; ")
    }

    /// Asks a reader process. Takes some 50 ms; at most `WorkerConversation.readyDeadline` and `answerDeadline`.
    package static func load(
        executable: String = ReaderExecutable.locate()
    ) async throws(ReaderError) -> DecoderInventory {
        let result = await withCheckedContinuation { continuation in
            DispatchQueue.global(qos: .userInitiated).async {
                continuation.resume(
                    returning: Result { () throws(ReaderError) in try ask(executable: executable) })
            }
        }
        return try result.get()
    }

    static let answerDeadline = Duration.seconds(5)
    /// More libraries than this aren't believed.
    private static let maxDecoders = 16

    private static func ask(executable: String) throws(ReaderError) -> DecoderInventory {
        let worker = try WorkerConversation(executable: executable)
        worker.send(.capabilities)
        let deadline = WorkerPool.now().advanced(by: answerDeadline)
        var decoders: [DecoderCapability] = []
        while decoders.count < maxDecoders {
            switch worker.next(until: deadline) {
            case .answer(.capability(let capability)): decoders.append(capability)
            case .answer(.done): return DecoderInventory(decoders: decoders)
            case .answer, .tooLate, .lost:
                throw ReaderError(
                    "the reader process \"\(executable)\" doesn't say what it can read: try \"\(executable) "
                        + "--capabilities\"")
            }
        }
        throw ReaderError("the reader process \"\(executable)\" lists more than \(maxDecoders) decoders")
    }
}
