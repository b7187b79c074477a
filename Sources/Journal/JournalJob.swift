import Wire

/// What waits for the writer.
enum JournalJob: Sendable {
    typealias Answer<Value> = @Sendable (Result<Value, JournalError>) -> Void

    case append([ScanLine], Answer<[Event]>)
    case settle(Settlement, Answer<Void>)
    case register([JournalOutput], Answer<[String: UInt64]>)
    case record(RecordedAnswer, Answer<Void>)
    case remember(JournalNote, String, Answer<Void>)

    func fail(_ error: JournalError) {
        switch self {
        case .append(_, let answer): answer(.failure(error))
        case .settle(_, let answer): answer(.failure(error))
        case .register(_, let answer): answer(.failure(error))
        case .record(_, let answer), .remember(_, _, let answer): answer(.failure(error))
        }
    }

    /// Whether it is repeated when there is room, instead of failing: receipts must not be lost, nor what the host said. Scans are refused
    /// meanwhile, which bounds both.
    var waitsForRoom: Bool {
        switch self {
        case .append, .remember: false
        case .settle, .register, .record: true
        }
    }
}
