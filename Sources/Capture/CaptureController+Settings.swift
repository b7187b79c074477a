import Settings
import Vocabulary

/// What may change while the camera runs. None of it ends the capture run, except another camera.
extension CaptureController {
    /// `cameraIsReady` follows once frames show it.
    package func setViewport(_ viewport: Viewport) async {
        settings.viewport = viewport
        apply(plan.handle(.viewport(delivered(viewport.rect)), at: clock.now))
        relay.expectReady(from: clock.now)
    }

    package func setExposure(_ exposure: ExposureSettings) async {
        settings.exposure = exposure
        relay.setGovernor(ShutterGovernor(settings: exposure, minimumGain: granted?.minimumGain ?? 1))
        apply(exposureControls())
    }

    package func setFocus(_ focus: FocusSettings) async {
        settings.focus = focus
        apply(plan.handle(.settings(focus), at: clock.now))
        setTimer()
    }

    /// Focuses once at a point of the upright frame, then goes back to the focus mode (`FocusPlan.pointHold` later, with the
    /// next trigger, or with `nil`).
    package func focus(at point: Point?) async {
        let delivered = point.map { settings.orientation.delivered(fromUpright: $0) }
        apply(plan.handle(.point(delivered), at: clock.now))
        setTimer()
    }

    /// One autofocus scan, in the focus mode `onTrigger`.
    package func triggerAutofocus() async {
        apply(plan.handle(.trigger, at: clock.now))
        setTimer()
    }

    /// Frames a second from now on; `nil`: as configured.
    package func setFrameRate(_ frameRate: Double?) async {
        frameRateOverride = frameRate
        frameRateChanged()
    }

    package func setZoom(_ zoom: Double) async {
        settings.zoom = zoom
        var controls = CameraControls()
        controls.zoom = zoom
        apply(controls)
    }

    /// Ends the capture run and begins one on the camera whose id is or begins with `id`.
    package func switchCamera(to id: String) async {
        settings.camera = id
        command(.reconfigure)
    }

    /// All settings at once (a reread configuration). The camera is configured again only where it must be; another `source`
    /// needs another controller and is ignored.
    package func update(_ new: CaptureSettings) async {
        var new = new
        new.source = settings.source
        let old = settings
        settings = new
        let needsNewConfiguration =
            old.camera != new.camera || old.effectiveResolution != new.effectiveResolution
            || old.sensorMode != new.sensorMode || old.memoryBudgetBytes != new.memoryBudgetBytes
        _ = plan.handle(.viewport(delivered(new.viewport.rect)), at: clock.now)
        let focus = plan.handle(.settings(new.focus), at: clock.now)
        frameRateChanged()
        if (old.retryFirst, old.retryMax) != (new.retryFirst, new.retryMax) {
            command(.backoff(first: new.retryFirst, longest: new.retryMax))
        }
        if needsNewConfiguration {
            command(.reconfigure)
        } else {
            if old.exposure != new.exposure {
                relay.setGovernor(ShutterGovernor(settings: new.exposure, minimumGain: granted?.minimumGain ?? 1))
            }
            var controls = pictureControls()
            if old.sharpness != nil, new.sharpness == nil { controls.sharpness = Self.normalSharpness }
            controls.merge(focus)
            apply(controls)
            relay.expectReady(from: clock.now)
        }
    }

    // MARK: Controls

    /// libcamera's "no change".
    private static let normalSharpness: Float = 1

    /// The frame rate in force.
    var frameRate: Double {
        let wanted = frameRateOverride ?? settings.effectiveFrameRate
        let limited = isFrameRateReduced ? min(wanted, settings.idleFrameRate) : wanted
        return max(limited, Self.lowestFrameRate)
    }

    func frameRateChanged() {
        setFrameTimeout(Self.frameTimeout(settings, frameRate: frameRate))
        var controls = CameraControls()
        controls.frameRate = frameRate
        apply(controls)
    }

    /// Everything a run starts with.
    func startControls() -> CameraControls {
        var controls = pictureControls()
        controls.merge(plan.handle(.runStarted, at: clock.now))
        return controls
    }

    /// All but the focus. A camera keeps what it was told in an earlier run, so "none" is said too.
    private func pictureControls() -> CameraControls {
        var controls = exposureControls()
        controls.frameRate = frameRate
        controls.zoom = settings.zoom
        controls.noiseReduction = settings.noiseReduction
        controls.sharpness = settings.sharpness
        return controls
    }

    /// Passed to the camera only while a run is on: `startControls` has it all for the next one.
    func apply(_ controls: CameraControls) {
        guard !controls.isEmpty, machine.run != nil, let device else { return }
        do throws(CameraFailure) {
            let newlySkipped = try timed { () throws(CameraFailure) in try device.apply(controls) }
            for setting in newlySkipped where !skipped.contains(setting) { skipped.append(setting) }
        } catch {
            log(CaptureLogLine(.warning, "a camera setting was refused: \(error)"))
            notify(.fault(error.description))
        }
    }

    /// At least eight frame intervals, as slow cameras are no dead ones.
    static func frameTimeout(_ settings: CaptureSettings, frameRate: Double) -> Duration {
        max(settings.frameTimeout, .seconds(8 / max(frameRate, lowestFrameRate)))
    }

    private func exposureControls() -> CameraControls {
        var controls = CameraControls()
        controls.exposure = relay.exposure
        controls.gain = settings.exposure.gain.map { .fixed($0) } ?? .automatic
        controls.metering = settings.exposure.metering
        controls.flicker = settings.exposure.flicker
        return controls
    }

    private func delivered(_ rect: Rect) -> Rect { settings.orientation.delivered(fromUpright: rect) }
}
