import ScanCore
import StationConfiguration
import Vocabulary

/// What the station keeps for people at the console: who is there, the change on trial, the first password, the buzzer that helps to aim; each with
/// its timer. The actor feeds the machines and performs what they say.
struct ConsoleDesk {
    var consoles = ConsoleWatch()
    var trial: SettingsTrial
    var firstPassword: FirstPasswordMachine
    var aim = AimMachine()
    private var firstPasswordTimer = WakeTimer()
    private var aimTimer = WakeTimer()
    private var aimWatch: Task<Void, Never>?

    init(_ options: StationOptions) {
        trial = SettingsTrial(options.overlay, time: options.trialTime)
        firstPassword = FirstPasswordMachine(limits: options.firstPasswordLimits)
    }

    mutating func wakeFirstPassword(at moment: Instant?, now: Instant, _ call: @escaping @Sendable () async -> Void) {
        firstPasswordTimer.set(at: moment, now: now, call)
    }

    mutating func wakeAim(at moment: Instant?, now: Instant, _ call: @escaping @Sendable () async -> Void) {
        aimTimer.set(at: moment, now: now, call)
    }

    /// - Parameter look: looks at sharpness until it is cancelled; `nil`: nobody looks any more.
    mutating func watchForAim(_ look: Task<Void, Never>?) {
        aimWatch?.cancel()
        aimWatch = look
    }

    mutating func stop() {
        trial.stop()
        firstPasswordTimer.cancel()
        aimTimer.cancel()
        watchForAim(nil)
    }
}
