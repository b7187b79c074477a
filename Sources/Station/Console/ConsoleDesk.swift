/// What the station does for people at the console.
///
/// Each desk has its states to itself and belongs to the station's actor; its timers and tasks find it here.
struct ConsoleDesk {
    let socket: ConsoleSocket
    let trial: SettingsTrial
    let firstPassword: FirstPasswordDesk
    let aim: AimDesk
    let records: ScanRecords
    let examination: Examination

    init(_ options: StationOptions, _ parts: StationParts, host: HostDesk, voice: StationVoice) {
        socket = ConsoleSocket(parts.console, voice: voice)
        trial = SettingsTrial(options.overlay, time: options.trialTime, voice: voice)
        firstPassword = FirstPasswordDesk(options, feedback: parts.feedback, voice: voice)
        aim = AimDesk(parts)
        records = ScanRecords(parts, host: host, voice: voice)
        examination = Examination(.whileRunning(socket: parts.control.path, decoders: options.decoders))
    }

    /// No more calls.
    func stop() {
        socket.stop()
        trial.stop()
        firstPassword.stop()
        aim.stop()
    }
}
