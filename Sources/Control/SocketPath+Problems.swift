import Linux
import Settings

extension ControlSettings {
    package var problems: [SettingProblem] {
        SocketPath.problems(with: SocketPath.resolve(self), at: "control.socket", group: group, at: "control.group")
    }
}

extension SocketPath {
    /// What keeps a socket from being made: a path that doesn't fit, a folder that can't be made, a group that doesn't exist.
    /// `severity`: the severity of problems with folder and group, which may change.
    package static func problems(
        with path: String, at key: String, group: String?, at groupKey: String,
        severity: SettingProblem.Severity = .error
    ) -> [SettingProblem] {
        var problems: [SettingProblem] = []
        do throws(ControlError) { try check(path) } catch { problems.append(SettingProblem(at: key, error.message)) }
        let folder = SocketFolder.split(path).folder
        if Files.isMissing(SocketFolder.split(folder).folder) {
            problems.append(SettingProblem(severity, at: key, SocketFolder.missing(path, folder).message))
        }
        if let group, Files.groupID(group) == nil {
            problems.append(SettingProblem(severity, at: groupKey, SocketListener.missingGroup(group).message))
        }
        return problems
    }
}
