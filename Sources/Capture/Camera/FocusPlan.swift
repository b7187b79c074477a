import Settings
import Vocabulary

/// Decides what the lens does.
///
/// ```
///            point(p)                      point(nil), trigger, settings, `pointHold` over
///   mode ───────────────▶ at a point ─────────────────────────────────────────────────────▶ mode
///    ▲ │ trigger: one scan (`onTrigger` only)
///    └─┘
/// ```
/// `onTrigger` also scans once when a run starts and when its settings change: a station that always looks has no
/// triggers, and a trigger that starts the camera comes before there is a lens to move.
package struct FocusPlan: Hashable, Sendable {
    package enum Event: Hashable, Sendable {
        /// The camera starts with the lens anywhere: tell it everything.
        case runStarted
        case settings(FocusSettings)
        /// The viewport on the delivered frame.
        case viewport(Rect)
        /// On the delivered frame; `nil` goes back to the mode.
        case point(Point?)
        case trigger
        case wake
    }

    /// How long a focus at a point holds before the lens goes back to its mode.
    package static let pointHold: Duration = .seconds(10)
    /// Side of the window around a point, as a fraction of the frame.
    package static let pointWindow = 0.2

    package private(set) var settings: FocusSettings
    private var viewport: Rect
    private var pointEnds: Instant?

    package init(settings: FocusSettings, viewport: Rect) {
        self.settings = settings
        self.viewport = viewport
    }

    /// When to send `.wake`.
    package var wakeAt: Instant? { pointEnds }

    /// The controls to apply.
    package mutating func handle(_ event: Event, at now: Instant) -> CameraControls {
        switch event {
        case .runStarted:
            pointEnds = nil
            var controls = modeControls()
            controls.triggersFocus = settings.mode == .onTrigger
            return controls
        case .settings(let new):
            let isNews = new != settings
            settings = new
            pointEnds = nil
            var controls = modeControls()
            controls.triggersFocus = isNews && settings.mode == .onTrigger
            return controls
        case .viewport(let rect):
            viewport = rect
            var controls = CameraControls()
            if pointEnds == nil, settings.followsViewport { controls.focusWindow = rect }
            return controls
        case .point(let point?):
            pointEnds = now.advanced(by: Self.pointHold)
            var controls = CameraControls()
            controls.focus = .onDemand
            controls.focusRange = settings.range
            controls.focusSpeed = settings.speed
            controls.focusWindow = Self.window(around: point)
            controls.triggersFocus = true
            return controls
        case .point(nil):
            return endPoint()
        case .trigger:
            var controls = endPoint()
            if settings.mode == .onTrigger { controls.triggersFocus = true }
            return controls
        case .wake:
            guard let pointEnds, now >= pointEnds else { return CameraControls() }
            return endPoint()
        }
    }

    private mutating func endPoint() -> CameraControls {
        guard pointEnds != nil else { return CameraControls() }
        pointEnds = nil
        return modeControls()
    }

    private func modeControls() -> CameraControls {
        var controls = CameraControls()
        switch settings.mode {
        case .onTrigger: controls.focus = .onDemand
        case .continuous: controls.focus = .continuous
        case .manual: controls.focus = .manual(lensPosition: settings.lensPosition)
        }
        if settings.mode != .manual {
            controls.focusRange = settings.range
            controls.focusSpeed = settings.speed
            controls.focusWindow = settings.followsViewport ? viewport : .unit
        }
        return controls
    }

    /// A window of `pointWindow` around `point`, moved so that it lies on the frame.
    static func window(around point: Point) -> Rect {
        let limit = 1 - pointWindow
        return Rect(
            x: min(max(point.x - pointWindow / 2, 0), limit), y: min(max(point.y - pointWindow / 2, 0), limit),
            width: pointWindow, height: pointWindow)
    }
}
