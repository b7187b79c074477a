import Reading

/// Runs every check, in the order in which a person would look.
package struct Doctor: Sendable {
    private let checks: [any DoctorCheck]

    /// - Parameter socket: path of the control socket.
    package init(readerExecutable: String, socket: String) {
        checks = [
            ConfigurationCheck(), OverlayCheck(), VersionCheck(), UpdatesCheck(),
            SocketCheck(path: socket), ServiceCheck(), ConsoleCheck(), CameraNodesCheck(), PluginCheck(),
            CamerasCheck(), GroupsCheck(),
            LinesCheck(),
            SerialPortCheck(), PWMCheck(),
            ReaderCheck(executable: readerExecutable), PowerCheck(), DiskCheck(),
            JournalFolderCheck(), OutputFilesCheck(), ClockCheck(),
        ]
    }

    /// What can be looked at beside a station that runs: nothing that opens a device that the station holds, or starts a process.
    ///
    /// The plugin is left out: to look at it is to load it. What it delivers is the cameras' finding.
    /// - Parameter decoders: of the readers that run.
    static func whileRunning(socket: String, decoders: DecoderInventory?) -> Doctor {
        Doctor(checks: [
            OverlayCheck(), VersionCheck(), UpdatesCheck(),
            SocketCheck(path: socket), ServiceCheck(), ConsoleCheck(), CameraNodesCheck(),
            CamerasCheck(), GroupsCheck(), LinesCheck(),
            SerialPortCheck(), PWMCheck(), DecodersCheck(decoders: decoders), PowerCheck(), DiskCheck(),
            JournalFolderCheck(), OutputFilesCheck(), ClockCheck(),
        ])
    }

    private init(checks: [any DoctorCheck]) { self.checks = checks }

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
