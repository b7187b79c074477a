import Vocabulary

extension TriggerMode {
    /// Whether codes are read in sessions only, which a button or a command starts. The others always look.
    package var isTriggered: Bool {
        switch self {
        case .level, .pulse, .host: true
        case .presentation, .continuous: false
        }
    }
}
