import Settings

extension ControlSettings {
    /// What keeps a station from opening this socket: a path that doesn't fit, a folder that can't be made, a group that
    /// doesn't exist.
    package var problems: [SettingProblem] {
        let path = SocketPath.resolve(self)
        return SocketPath.problems(with: path, at: "control.socket")
            + SocketPath.folderProblems(with: path, at: "control.socket")
            + SocketPath.groupProblems(with: group, at: "control.group")
    }
}

extension UnixSocketSettings {
    /// What may change while the output waits for it, a folder or a group, is only a warning.
    func problems(at place: String) -> [SettingProblem] {
        var waits =
            SocketPath.folderProblems(with: path, at: "\(place).path")
            + SocketPath.groupProblems(with: group, at: "\(place).group")
        for index in waits.indices { waits[index].severity = .warning }
        return SocketPath.problems(with: path, at: "\(place).path") + waits
    }
}

extension SocketPath {
    fileprivate static func problems(with path: String, at key: String) -> [SettingProblem] {
        do throws(DeliveryError) {
            try check(path)
            return []
        } catch {
            return [SettingProblem(at: key, error.message)]
        }
    }

    fileprivate static func folderProblems(with path: String, at key: String) -> [SettingProblem] {
        let folder = SocketFolder.split(path).folder
        guard Files.isMissing(SocketFolder.split(folder).folder) else { return [] }
        return [SettingProblem(at: key, SocketFolder.missing(path, folder).message)]
    }

    fileprivate static func groupProblems(with name: String?, at key: String) -> [SettingProblem] {
        guard let name, Files.groupID(name) == nil else { return [] }
        return [SettingProblem(at: key, SocketListener.missingGroup(name).message)]
    }
}
