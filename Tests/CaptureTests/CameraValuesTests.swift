import Capture
import Settings
import Testing
import Vocabulary

@Suite struct ShutterGovernorTests {
    private func governor(gain: Float? = nil, time: Duration? = nil) -> ShutterGovernor {
        var settings = ExposureSettings()
        settings.gain = gain
        settings.time = time
        return ShutterGovernor(settings: settings)
    }

    @Test func `caps the shutter after two frames that were exposed for too long`() {
        var governor = governor()
        #expect(governor.frame(exposure: .milliseconds(20), gain: 1) == false)
        #expect(governor.frame(exposure: .milliseconds(20), gain: 1) == true)
        #expect(governor.exposure == .fixed(.milliseconds(5)))
        #expect(governor.isCapped)
    }

    @Test func `ends the cap when the gain is at its minimum again`() {
        var governor = governor()
        for _ in 0..<2 { _ = governor.frame(exposure: .milliseconds(20), gain: 1) }
        for _ in 0..<50 { #expect(governor.frame(exposure: .milliseconds(5), gain: 4) == false) }
        for _ in 0..<4 { #expect(governor.frame(exposure: .milliseconds(5), gain: 1) == false) }
        #expect(governor.frame(exposure: .milliseconds(5), gain: 1) == true)
        #expect(governor.exposure == .automatic)
        #expect(!governor.isCapped)
    }

    @Test func `one long frame in between is forgiven`() {
        var governor = governor()
        for _ in 0..<10 {
            #expect(governor.frame(exposure: .milliseconds(20), gain: 1) == false)
            #expect(governor.frame(exposure: .milliseconds(3), gain: 1) == false)
        }
    }

    @Test func `leaves a fixed time and a camera without figures alone`() {
        var fixed = governor(time: .milliseconds(30))
        var silent = governor()
        for _ in 0..<10 {
            #expect(fixed.frame(exposure: .milliseconds(30), gain: 1) == false)
            #expect(silent.frame(exposure: nil, gain: nil) == false)
        }
        #expect(fixed.exposure == .fixed(.milliseconds(30)))
    }

    @Test func `with a fixed gain it looks now and then whether the shutter may be free`() {
        var governor = governor(gain: 2)
        for _ in 0..<2 { _ = governor.frame(exposure: .milliseconds(20), gain: 2) }
        for _ in 0..<89 { #expect(governor.frame(exposure: .milliseconds(5), gain: 2) == false) }
        #expect(governor.frame(exposure: .milliseconds(5), gain: 2) == true)
        #expect(governor.exposure == .automatic)
    }
}

@Suite struct FocusPlanTests {
    private let viewport = Rect(x: 0.25, y: 0.25, width: 0.5, height: 0.5)

    @Test func `a run starts with everything the mode needs`() {
        var plan = FocusPlan(settings: FocusSettings(), viewport: viewport)
        let controls = plan.handle(.runStarted, at: .zero)
        #expect(controls.focus == .onDemand)
        #expect(controls.focusRange == .macro)
        #expect(controls.focusWindow == viewport)
    }

    @Test(arguments: [(FocusSettings.Mode.onTrigger, true), (.continuous, false), (.manual, false)])
    func `a run and new settings move the lens once if nothing else would`(mode: FocusSettings.Mode, moves: Bool) {
        var settings = FocusSettings()
        settings.mode = mode
        var plan = FocusPlan(settings: settings, viewport: viewport)
        #expect(plan.handle(.runStarted, at: .zero).triggersFocus == moves)
        #expect(!plan.handle(.settings(settings), at: .zero).triggersFocus)
        settings.speed = .normal
        #expect(plan.handle(.settings(settings), at: .zero).triggersFocus == moves)
    }

    @Test(arguments: [(FocusSettings.Mode.onTrigger, true), (.continuous, false), (.manual, false)])
    func `a trigger moves the lens in its mode only`(mode: FocusSettings.Mode, moves: Bool) {
        var settings = FocusSettings()
        settings.mode = mode
        var plan = FocusPlan(settings: settings, viewport: viewport)
        #expect(plan.handle(.trigger, at: .zero).triggersFocus == moves)
    }

    @Test func `a focus at a point goes back to the mode after a while`() {
        var settings = FocusSettings()
        settings.mode = .manual
        settings.lensPosition = 4
        var plan = FocusPlan(settings: settings, viewport: viewport)
        let point = plan.handle(.point(Point(x: 0.95, y: 0.5)), at: .zero)
        #expect(point.focus == .onDemand)
        #expect(point.triggersFocus)
        #expect(point.focusWindow == Rect(x: 0.8, y: 0.4, width: 0.2, height: 0.2))
        let end = Instant.zero.advanced(by: FocusPlan.pointHold)
        #expect(plan.wakeAt == end)
        #expect(plan.handle(.wake, at: .zero).isEmpty)
        #expect(plan.handle(.wake, at: end).focus == .manual(lensPosition: 4))
        #expect(plan.wakeAt == nil)
    }

    @Test func `a trigger ends a focus at a point`() {
        var plan = FocusPlan(settings: FocusSettings(), viewport: viewport)
        _ = plan.handle(.point(Point(x: 0.1, y: 0.1)), at: .zero)
        let controls = plan.handle(.trigger, at: .zero)
        #expect(controls.focusWindow == viewport)
        #expect(controls.triggersFocus)
    }

    @Test func `the window follows the viewport unless a point is in force or the setting is off`() {
        var plan = FocusPlan(settings: FocusSettings(), viewport: .unit)
        #expect(plan.handle(.viewport(viewport), at: .zero).focusWindow == viewport)
        _ = plan.handle(.point(Point(x: 0.5, y: 0.5)), at: .zero)
        #expect(plan.handle(.viewport(.unit), at: .zero).isEmpty)
        var settings = FocusSettings()
        settings.followsViewport = false
        plan = FocusPlan(settings: settings, viewport: .unit)
        #expect(plan.handle(.viewport(viewport), at: .zero).isEmpty)
    }
}

@Suite struct MemoryBudgetTests {
    /// What a Zero 2 W reports to the kernel: 512 MB less the firmware's part.
    private let zero2W = MemoryBudget.effective(configured: nil, machineBytes: 426_000_000)

    @Test(arguments: [CaptureSettings.Preset.low, .medium, .high])
    func `the usual presets fit into a Zero 2 W`(preset: CaptureSettings.Preset) {
        #expect(zero2W.refusal(of: .expected(preset.resolution), name: preset.rawValue) == nil)
    }

    @Test func `photo on a Zero 2 W is refused with figures`() throws {
        let reason = try #require(zero2W.refusal(of: .expected(CaptureSettings.Preset.photo.resolution), name: "photo"))
        guard case .memoryBudget(let needed, let budget, let detail) = reason else {
            Issue.record("\(reason)")
            return
        }
        #expect(budget == 106_500_000)
        #expect(needed > budget)
        #expect(detail.contains("photo (4056x3040) needs 253.4 MB"))
        #expect(detail.contains("4 camera buffers of 18.7 MB"))
        #expect(detail.contains("the budget is 106.5 MB"))
        #expect(detail.contains("capture.memoryBudgetBytes"))
        #expect(CameraFailure.unavailable(reason).description == detail)
    }

    @Test func `a configured budget counts instead of the machine's`() {
        let budget = MemoryBudget.effective(configured: 1_000_000_000, machineBytes: 426_000_000)
        #expect(budget.refusal(of: .expected(CaptureSettings.Preset.photo.resolution), name: "photo") == nil)
    }

    @Test func `a replay has no raw frames`() {
        let size = CaptureSettings.Preset.medium.resolution
        #expect(zero2W.needed(by: .expected(size, hasSensor: false)) < zero2W.needed(by: .expected(size)))
    }
}

@Suite struct CameraFailureTests {
    @Test(arguments: CameraMachineTests.failures)
    func `each failure has a text with a state`(failure: CameraFailure) {
        #expect(!failure.description.isEmpty)
        #expect(failure.isWorthRetrying)
        #expect(failure.state.name != "running")
    }

    @Test func `a missing camera names what was found`() {
        let failure = CameraFailure.unavailable(.notFound(wanted: "imx", found: ["ov9281"]))
        #expect(failure.description.contains("\"imx\"") && failure.description.contains("ov9281"))
    }
}

@Suite struct CameraControlsTests {
    @Test func `merging takes what is set and keeps the rest`() {
        var controls = CameraControls()
        controls.zoom = 2
        controls.gain = .fixed(4)
        var newer = CameraControls()
        newer.gain = .automatic
        newer.triggersFocus = true
        controls.merge(newer)
        #expect(controls.zoom == 2 && controls.gain == .automatic && controls.triggersFocus)
        #expect(CameraControls().isEmpty && !controls.isEmpty)
    }
}
