import Control
import Settings

extension UnixSocketSettings {
    /// What may change while the output waits for it is only a warning.
    func problems(at place: String) -> [SettingProblem] {
        SocketPath.problems(
            with: path, at: "\(place).path", group: group, at: "\(place).group", severity: .warning)
    }
}
