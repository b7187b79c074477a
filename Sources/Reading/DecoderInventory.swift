import Dispatch
import Linux
import ReaderProtocol
import Settings
import Vocabulary

/// Which linked library reads which symbology, as a reader process reports it.
package struct DecoderInventory: Hashable, Sendable {
    package var decoders: [DecoderCapability]

    package init(decoders: [DecoderCapability]) { self.decoders = decoders }

    /// The libraries that read `symbology`; empty if none does.
    package func libraries(reading symbology: Symbology) -> [DecoderCapability] {
        decoders.filter { $0.symbologies.contains(symbology) }
    }

    /// The symbologies that the settings ask for but no library reads, sorted.
    package func unreadable(in settings: ReadingSettings) -> [Symbology] {
        settings.symbologies.keys.filter { libraries(reading: $0).isEmpty }.sorted()
    }

    /// The error for asking for a symbology that no library reads, with what to do.
    package static func refusal(of symbology: Symbology) -> String {
        "no linked library reads \(symbology.rawValue): take it out of reading.symbologies"
    }

    /// Symbologies that the settings ask for but no library reads; none if they are the standard table, which is not the settings' fault.
    package func refused(in settings: ReadingSettings) -> [Symbology] {
        settings.symbologies.keys == ReadingSettings.defaultSymbologies.keys ? [] : unreadable(in: settings)
    }

    /// Why the settings can't be used; `nil` if they can.
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
    /// A list of more libraries than this is rejected.
    private static let maxDecoders = 16

    private static func ask(executable: String) throws(ReaderError) -> DecoderInventory {
        let worker = try WorkerConversation(executable: executable)
        worker.send(.capabilities)
        let deadline = Instant.now.advanced(by: answerDeadline)
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
