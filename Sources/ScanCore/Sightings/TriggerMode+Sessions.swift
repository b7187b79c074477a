import Vocabulary

extension TriggerMode {
    /// Whether codes are read only in sessions, which a button or a command starts. The other modes always look.
    package var isTriggered: Bool {
        switch self {
        case .level, .pulse, .host: true
        case .presentation, .continuous: false
        }
    }
}
