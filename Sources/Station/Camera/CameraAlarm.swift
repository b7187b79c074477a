import Peripherals
import Vocabulary
import Wire

/// A camera that hangs or doesn't recover: it is reported, and in the end the process ends. `CameraWatch` decides.
struct CameraAlarm {
    private var watch: CameraWatch
    private let voice: StationVoice
    private let feedback: FeedbackPlayer

    init(_ watch: CameraWatch, voice: StationVoice, feedback: FeedbackPlayer) {
        (self.watch, self.voice, self.feedback) = (watch, voice, feedback)
    }

    /// See `CameraWatch.hangLimit`.
    var hangLimit: Duration? {
        get { watch.hangLimit }
        set { watch.hangLimit = newValue }
    }

    mutating func handle(_ event: CameraWatch.Event) { for action in watch.handle(event) { perform(action) } }

    private func perform(_ action: CameraWatch.Action) {
        switch action {
        case .tellBlocked(let blocked):
            let end =
                hangLimit.map {
                    "after \(DurationText.text($0)) (capture.hangLimit) the station ends, to be started again"
                } ?? "if it stays like this, only a restart of the station helps"
            complain(
                "blocked",
                "a call into the camera hasn't come back for \(Self.seconds(blocked)): check the cable; \(end)"
            )
        case .tellItAnswers: voice.note(.notice, kind: "camera", "it answers again")
        case .tellExhausted(let failure):
            let advice =
                hangLimit == nil
                ? "only a new process may help: restart the station"
                : "this process never had a frame from it, so a new one wouldn't help either: check the cable"
            complain("recoveryExhausted", "recovery failed many times (\(failure)); \(advice). Attempts go on")
        case .giveUp(.blocked(let blocked)):
            giveUp(
                "a call into the camera hasn't come back for \(Self.seconds(blocked)) (capture.hangLimit); "
                    + "only a new process can have the camera again: the station ends")
        case .giveUp(.exhausted(let failure)):
            giveUp(
                "the camera worked and doesn't recover (\(failure)); only a new process may help: the station ends")
        }
    }

    /// Whole ones: what was measured has nanoseconds.
    private static func seconds(_ time: Duration) -> String { DurationText.text(.seconds(time.components.seconds)) }

    private func complain(_ code: String, _ text: String) { voice.complain("camera", code, text) }

    private func giveUp(_ text: String) {
        feedback.play(.error)
        complain("givenUp", text)
        voice.fail(StationError(.needsNewProcess, text))
    }
}
