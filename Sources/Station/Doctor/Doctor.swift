/// Runs every check, in the order in which a person would look.
package struct Doctor: Sendable {
    private let checks: [any DoctorCheck]

    /// - Parameter socket: path of the control socket.
    package init(readerExecutable: String, socket: String) {
        checks = [
            ConfigurationCheck(), SocketCheck(path: socket), ServiceCheck(), CameraNodesCheck(), PluginCheck(),
            CamerasCheck(), GroupsCheck(),
            LinesCheck(),
            SerialPortCheck(), PWMCheck(),
            ReaderCheck(executable: readerExecutable), PowerCheck(), DiskCheck(),
            JournalFolderCheck(), OutputFilesCheck(), ClockCheck(),
        ]
    }

    /// Findings as they are made.
    package func findings(in context: DoctorContext) -> AsyncStream<DoctorFinding> {
        let (stream, continuation) = AsyncStream.makeStream(of: DoctorFinding.self)
        let task = Task { [checks, context] in
            for check in checks {
                for finding in await check.findings(in: context) { continuation.yield(finding) }
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }
}
