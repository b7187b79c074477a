import Vocabulary

/// Decides whether the scene is dark enough for the torch. Hysteresis alone would blink, because the torch lights its own scene.
///
/// So the torch's own share is measured once it has settled, and subtracted from what the scene shows while it is lit: on below the
/// threshold, off when the scene *without the torch* is above twice that. A decision stands for a while, and longer each time it is
/// reversed at once.
struct TorchAutoLight: Sendable {
    /// After switching on, exposure control needs this long before the picture tells anything.
    static let settleTime: Duration = .milliseconds(500)
    /// A decision stands at least this long.
    static let shortestDwell: Duration = .seconds(2)
    static let longestDwell: Duration = .seconds(60)
    /// If it is dark again this soon after switching off, switching off was wrong.
    static let flapWindow: Duration = .seconds(5)

    private let luxThreshold: Float
    private let lumaThreshold: Float
    private(set) var wantsLight = false
    private var changedAt: Instant?
    private var dwell = shortestDwell
    private var darkLevel: Float = 0
    /// What the torch adds to the scene; `nil` until measured.
    private var share: Float?
    private var usesLux: Bool?

    init(luxThreshold: Float, lumaThreshold: Float) {
        self.luxThreshold = luxThreshold
        self.lumaThreshold = lumaThreshold
    }

    /// - Parameters:
    ///   - lux: the camera's estimate, if it gives one.
    ///   - meanLuma: 0…255 over the viewport; used where there is no lux.
    ///   - exposedAt: when the sample's light was captured; a frame takes some time to get here.
    ///   - litSince: when the torch was lit; `nil` while it is dark.
    mutating func sample(lux: Float?, meanLuma: Float?, exposedAt: Instant, litSince: Instant?, at now: Instant) {
        guard let level = lux ?? meanLuma, level.isFinite else { return }
        let threshold = lux != nil ? luxThreshold : lumaThreshold
        if usesLux != (lux != nil) {
            usesLux = lux != nil
            share = nil
            darkLevel = 0
        }
        if wantsLight {
            considerOff(level, threshold: threshold, litFor: litSince.map { $0.duration(to: exposedAt) }, at: now)
        } else if level < threshold, changedAt.map({ $0.duration(to: now) >= Self.shortestDwell }) ?? true {
            if let changedAt, changedAt.duration(to: now) < Self.flapWindow {
                dwell = min(dwell * 2, Self.longestDwell)
            } else {
                dwell = Self.shortestDwell
            }
            wantsLight = true
            self.changedAt = now
            darkLevel = level
            share = nil
        }
    }

    private mutating func considerOff(_ level: Float, threshold: Float, litFor: Duration?, at now: Instant) {
        var ambient = level
        if let litFor {
            guard litFor >= Self.settleTime else { return }
            let torch = share ?? max(0, level - darkLevel)
            share = torch
            ambient -= torch
        }
        guard ambient > 2 * threshold, let changedAt, changedAt.duration(to: now) >= dwell else { return }
        wantsLight = false
        self.changedAt = now
    }

    /// Forgets the scene; the next sample decides from scratch.
    mutating func reset() {
        self = TorchAutoLight(luxThreshold: luxThreshold, lumaThreshold: lumaThreshold)
    }
}
