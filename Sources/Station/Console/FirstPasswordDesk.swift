import Peripherals
import ScanCore
import Settings
import Vocabulary
import Wire

/// The first password by button and code: `FirstPasswordMachine` decides, this hands it edges, codes and commands, and does what it says.
///
/// Belongs to the station's actor.
final class FirstPasswordDesk {
    private var machine: FirstPasswordMachine
    private var timer = WakeTimer()
    private let isSimulated: Bool
    private let feedback: FeedbackPlayer
    private let voice: StationVoice

    init(_ options: StationOptions, feedback: FeedbackPlayer, voice: StationVoice) {
        machine = FirstPasswordMachine(limits: options.firstPasswordLimits)
        isSimulated = options.panel != nil
        (self.feedback, self.voice) = (feedback, voice)
    }

    /// A browser has asked, and it isn't over.
    var isUnderWay: Bool { machine.isUnderWay }

    /// Why it may not be set like this; `nil`: it may.
    func bar(_ settings: StationSettings) -> String? { FirstPasswordRule.bar(settings, isSimulated: isSimulated) }

    func stop() { timer.cancel() }

    /// Returns whether the button's edge was for this, not for a scan.
    @discardableResult
    func tell(_ event: FirstPasswordMachine.Event, at moment: Instant? = nil, in station: isolated Station) -> Bool {
        var isTaken = false
        for action in machine.handle(event, at: moment ?? voice.clock.now) {
            switch action {
            case .edgeIsTaken: isTaken = true
            case .look(let isOn): station.feed(.look(for: .firstPassword, isOn))
            case .cue(let cue): feedback.play(cue)
            case .told(let news):
                publish(news)
                // The press that began this began a session, too, whose time-out should be silent.
                if news == .held || news == .heldInVain { station.feed(.release) }
            case .wakeAt(let moment):
                timer.set(at: moment, in: station) { $0.desk.firstPassword.tell(.tick, in: $0) }
            }
        }
        return isTaken
    }

    /// Hands the codes to the machine, and gives the result that everybody else sees.
    func withoutCodes(_ result: ReadResult, in station: isolated Station) -> ReadResult {
        let codes = result.symbols.compactMap(\.firstPasswordCode)
        var rest = result
        if !codes.isEmpty { rest.symbols.removeAll(where: \.isForFirstPassword) }
        if !result.symbols.isEmpty {
            tell(.read(codes, others: !rest.symbols.isEmpty, exposedAt: result.frame.exposedAt), in: station)
        }
        return rest
    }

    func answer(_ request: FirstPasswordRequest, in station: isolated Station) throws -> [String: JSONValue] {
        switch request.step {
        case .ask:
            if let bar = bar(station.settings) { throw CommandRefusal(bar) }
            guard !station.isOnPause else { throw CommandRefusal("the station is paused: resume it first") }
            voice.note(
                .notice, kind: "console",
                "a browser\(request.from.map { " at \($0)" } ?? "") asks to set the first password by the button")
            tell(.asked(request.code, replacing: request.replaces), in: station)
        case .look: tell(.tick, in: station)
        case .withdraw: tell(.withdrawn(request.code), in: station)
        case .use:
            tell(.tick, in: station)
            guard case .open = machine.stage(of: request.code) else {
                throw CommandRefusal("this browser may not set the password: its code wasn't shown, or it is too late")
            }
            tell(.used(request.code), in: station)
        }
        return stageFields(machine.stage(of: request.code))
    }

    private func stageFields(_ stage: FirstPasswordMachine.Stage) -> [String: JSONValue] {
        func fields(_ name: String, _ until: Instant) -> [String: JSONValue] {
            let left = max(voice.clock.now.duration(to: until), .zero)
            return ["stage": .string(name), "leftMs": .integer(Int64(left.milliseconds)), "why": .null]
        }
        return switch stage {
        case .waiting(let until): fields("waiting", until)
        case .read(let until): fields("read", until)
        case .open(let until): fields("open", until)
        case .over(let end): ["stage": "over", "leftMs": 0, "why": .string(end.rawValue)]
        }
    }

    private func publish(_ news: FirstPasswordMachine.News) {
        let (state, detail, reason): (String, String, String?) =
            switch news {
            case .asked: ("asked", "a browser asks: hold the trigger button for five seconds, then show its code", nil)
            case .held: ("held", "held: show the phone's code to the camera now", nil)
            case .heldInVain:
                ("heldInVain", "something was read while the button was held: clear the view, and hold it again", nil)
            case .read: ("read", "the code was read: press the button once more", nil)
            case .opened: ("open", "that browser may set the password now", nil)
            case .ended(let end): ("ended", end.sentence, end.rawValue)
            }
        voice.note(.notice, kind: "console", "first password: \(detail)")
        voice.publish(state: state, of: "firstPassword", reason: reason, detail: detail, toOutputs: false)
    }
}

extension FirstPasswordMachine.End {
    fileprivate var sentence: String {
        switch self {
        case .used: "the password is being set"
        case .expired: "it took too long"
        case .replaced: "the browser has asked for another code"
        case .withdrawn: "the browser has given up"
        case .twoAsked: "two browsers asked at once, so neither may"
        case .otherCode: "another code than the browser's was in view"
        case .barred: "the configuration doesn't allow it any more"
        case .unknown: "the station doesn't know the code"
        }
    }
}

extension Symbol {
    /// `nil`: an ordinary code.
    var firstPasswordCode: FirstPasswordCode? { text.flatMap(FirstPasswordCode.init(text:)) }
    var isForFirstPassword: Bool { firstPasswordCode != nil }
}
