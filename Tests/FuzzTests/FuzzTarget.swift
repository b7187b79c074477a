/// One kind of input that comes from strangers, or from a process that is trusted less, and what must be true of each.
///
/// A target is tried by libFuzzer (`make fuzz`), and with its seeds by the tests. It throws a `BrokenPromise`, or traps; both are
/// findings. The same input must always do the same: no clock, no randomness, no state.
struct FuzzTarget: Sendable {
    /// That of its folder in Tests/Fuzz/Targets.
    var name: String
    var check: @Sendable (inout FuzzInput) throws -> Void

    static let all = [
        FuzzTarget(name: "reader-answer", check: ReaderAnswerTarget.check),
        FuzzTarget(name: "reader-order", check: ReaderOrderTarget.check),
        FuzzTarget(name: "json-line", check: JSONLineTarget.check),
        FuzzTarget(name: "line-stream", check: LineStreamTarget.check),
        FuzzTarget(name: "journal-line", check: JournalLineTarget.check),
        FuzzTarget(name: "configuration", check: ConfigurationTarget.check),
        FuzzTarget(name: "setting", check: SettingTarget.check),
        FuzzTarget(name: "payload", check: PayloadTarget.check),
        FuzzTarget(name: "template", check: TemplateTarget.check),
        FuzzTarget(name: "keyboard", check: KeyboardTarget.check),
        FuzzTarget(name: "broker-message", check: BrokerMessageTarget.check),
        FuzzTarget(name: "web-answer", check: WebAnswerTarget.check),
        FuzzTarget(name: "ack-line", check: AckLineTarget.check),
        FuzzTarget(name: "camera-text", check: CameraTextTarget.check),
        FuzzTarget(name: "frame", check: FrameTarget.check),
    ]
}
