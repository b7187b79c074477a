import Wire

/// What waits for the writer.
enum JournalJob: Sendable {
    typealias Answer<Value> = @Sendable (Result<Value, JournalError>) -> Void

    case append([ScanLine], Answer<[Event]>)
    case settle(Settlement, Answer<Void>)
    case register([JournalOutput], Answer<[String: UInt64]>)

    func fail(_ error: JournalError) {
        switch self {
        case .append(_, let answer): answer(.failure(error))
        case .settle(_, let answer): answer(.failure(error))
        case .register(_, let answer): answer(.failure(error))
        }
    }

    /// Whether it is repeated when there is room, instead of failing: receipts must not be lost.
    var waitsForRoom: Bool {
        switch self {
        case .append: false
        case .settle, .register: true
        }
    }
}
