import Peripherals
import ScanCore
import Settings
import Vocabulary
import Wire

/// The first password by button and code: `FirstPasswordMachine` decides, this hands it edges, codes and commands, and does what it says.
extension Station {
    var firstPasswordBar: String? { FirstPasswordRule.bar(settings, isSimulated: options.panel != nil) }

    /// Returns whether the button's edge was for this, not for a scan.
    @discardableResult
    func tell(firstPassword event: FirstPasswordMachine.Event, at moment: Instant? = nil) -> Bool {
        var isTaken = false
        for action in desk.firstPassword.handle(event, at: moment ?? clock.now) {
            switch action {
            case .edgeIsTaken: isTaken = true
            case .look(let isOn): feed(.look(isOn))
            case .cue(let cue): parts.feedback.play(cue)
            case .told(let news): publish(firstPassword: news)
            case .wakeAt(let moment):
                desk.wakeFirstPassword(at: moment, now: clock.now) { [weak self] in
                    await self?.tell(firstPassword: .tick)
                }
            }
        }
        return isTaken
    }

    /// Hands the codes to the machine, and gives the result that everybody else sees.
    func withoutFirstPasswordCodes(_ result: ReadResult) -> ReadResult {
        let codes = result.symbols.compactMap(\.firstPasswordCode)
        var rest = result
        if !codes.isEmpty { rest.symbols.removeAll(where: \.isForFirstPassword) }
        if !result.symbols.isEmpty {
            tell(
                firstPassword: .read(codes, others: !rest.symbols.isEmpty, exposedAt: result.frame.exposedAt))
        }
        return rest
    }

    func answer(_ request: FirstPasswordRequest) throws -> [String: JSONValue] {
        switch request.step {
        case .ask:
            if let bar = firstPasswordBar { throw CommandRefusal(bar) }
            guard !machine.isPaused else { throw CommandRefusal("the station is paused: resume it first") }
            note(
                .notice, kind: "console",
                "a browser\(request.from.map { " at \($0)" } ?? "") asks to set the first password by the button")
            tell(firstPassword: .asked(request.code, replacing: request.replaces))
        case .look: tell(firstPassword: .tick)
        case .withdraw: tell(firstPassword: .withdrawn(request.code))
        case .use:
            tell(firstPassword: .tick)
            guard case .open = desk.firstPassword.stage(of: request.code) else {
                throw CommandRefusal("this browser may not set the password: its code wasn't shown, or it is too late")
            }
            tell(firstPassword: .used(request.code))
        }
        return stageFields(desk.firstPassword.stage(of: request.code))
    }

    private func stageFields(_ stage: FirstPasswordMachine.Stage) -> [String: JSONValue] {
        func fields(_ name: String, _ until: Instant) -> [String: JSONValue] {
            let left = max(clock.now.duration(to: until), .zero)
            return ["stage": .string(name), "leftMs": .integer(Int64(left.milliseconds)), "why": .null]
        }
        return switch stage {
        case .waiting(let until): fields("waiting", until)
        case .read(let until): fields("read", until)
        case .open(let until): fields("open", until)
        case .over(let end): ["stage": "over", "leftMs": 0, "why": .string(end.rawValue)]
        }
    }

    private func publish(firstPassword news: FirstPasswordMachine.News) {
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
        note(.notice, kind: "console", "first password: \(detail)")
        publish(
            .state(StateEvent(part: "firstPassword", state: state, reason: reason, detail: detail)), toOutputs: false)
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
