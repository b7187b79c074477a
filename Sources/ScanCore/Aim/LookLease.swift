import Vocabulary

/// How long frames are read for people who aim: the page asks for some seconds more, again and again, so that one that was closed leaves no
/// station reading, and no light on. It only ends by itself: others may aim, too.
package struct LookLease: Sendable {
    /// From the page's latest request.
    package static let lasts: Duration = .seconds(10)

    package enum Event: Hashable, Sendable {
        case asked
        /// The buzzer follows the sharpness, or stops.
        case buzzer(Bool)
        case tick
    }

    package enum Action: Hashable, Sendable {
        case look(Bool)
        /// Set the one timer to send `tick` then.
        case wakeAt(Instant?)
    }

    private var until: Instant?
    private var isBuzzing = false
    private var isLooking: Bool { isBuzzing || until != nil }

    package init() {}

    package mutating func handle(_ event: Event, at now: Instant) -> [Action] {
        let (wasLooking, oldUntil) = (isLooking, until)
        switch event {
        case .asked: until = now.advanced(by: Self.lasts)
        case .buzzer(let isOn): isBuzzing = isOn
        case .tick: break
        }
        if let end = until, now >= end { until = nil }
        var actions: [Action] = []
        if isLooking != wasLooking { actions.append(.look(isLooking)) }
        if until != oldUntil { actions.append(.wakeAt(until)) }
        return actions
    }
}

extension CameraState {
    /// Whether somebody who wants to look gets a picture. A camera that rests begins to run for that, but not while the station is paused.
    package func promisesPicture(isOnPause: Bool) -> Bool {
        switch self {
        case .running, .available, .systemPressure: true
        case .notLoaded, .suspended: !isOnPause
        case .permissionDenied, .inUse, .unavailable: false
        }
    }
}
