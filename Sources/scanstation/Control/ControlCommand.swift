import ArgumentParser

/// `scanstation ctl …`: one command for the running station.
struct ControlCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ctl",
        abstract: "Steer the running station.",
        subcommands: [
            StatusControl.self, TriggerControl.self, ReleaseControl.self, ConfirmControl.self, AcceptControl.self,
            RefuseControl.self, TorchControl.self, FocusControl.self, CameraControl.self, ViewportControl.self,
            RelayControl.self, AimControl.self, PauseControl.self, ResumeControl.self, SetControl.self,
        ])
}
