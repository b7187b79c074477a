/// Moments that LED and buzzer signal to a person.
package enum FeedbackCue: String, CaseIterable, Hashable, Sendable {
    /// The station can scan: played once, when it first can. The ready light shows it all the time.
    case ready
    /// A code was decoded (LED only by default).
    case read
    /// The scan is kept: in the journal, until every required output has answered for it.
    case kept
    /// The host accepted it.
    case accepted
    case refused
    case noRead
    /// The scan can't be kept.
    case cannotKeep
    case error
    /// A scan waits for its confirmation.
    case awaitingConfirmation
    /// Somebody at the console asks which station this is.
    case identify
    /// One tick of the buzzer that follows the sharpness while somebody aims.
    case aim
    /// The button was held for the first password: the phone's screen may be shown now.
    case showCode
    /// It was read: the button once more.
    case pressAgain
    /// That browser may set the first password.
    case passwordOpen

    /// A pattern of equal or higher priority replaces the one that plays; one of lower priority waits.
    package var priority: Int {
        switch self {
        case .cannotKeep: 90
        case .error: 80
        case .refused: 70
        case .passwordOpen: 68
        case .pressAgain: 66
        case .showCode: 64
        case .kept: 50
        case .awaitingConfirmation: 45
        case .noRead: 40
        case .accepted: 30
        case .read: 20
        case .identify: 15
        case .ready: 10
        case .aim: 5
        }
    }
}
