import Control
import Settings

extension UnixSocketSettings {
    /// Problems that may go away while the output waits are only warnings.
    func problems(at place: String) -> [SettingProblem] {
        SocketPath.problems(
            with: path, at: "\(place).path", group: group, at: "\(place).group", severity: .warning)
    }
}
