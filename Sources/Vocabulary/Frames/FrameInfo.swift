/// What is known about a frame besides its pixels. Fields that the camera doesn't report are `nil`.
package struct FrameInfo: Hashable, Sendable {
    /// Rises by one with each delivered frame of a capture run; a gap means frames that the camera dropped.
    package var sequence: UInt64
    /// Start of exposure (the sensor's timestamp), or arrival if the camera gives none.
    package var exposedAt: Instant
    /// When the frame reached us.
    package var deliveredAt: Instant
    package var exposureMicroseconds: Int32?
    /// Analogue gain, 1 = none.
    package var gain: Float?
    /// The light of the scene, as the camera estimates it.
    package var lux: Float?
    /// Focus figure of merit: higher is sharper; comparable only within a scene.
    package var focusFoM: Int32?
    package var focusState: FocusState?
    /// Dioptres.
    package var lensPosition: Float?
    /// What the frame shows, if the device knows: the file name of a replayed picture.
    package var label: String?

    package init(
        sequence: UInt64, exposedAt: Instant, deliveredAt: Instant, exposureMicroseconds: Int32? = nil,
        gain: Float? = nil, lux: Float? = nil, focusFoM: Int32? = nil, focusState: FocusState? = nil,
        lensPosition: Float? = nil, label: String? = nil
    ) {
        self.sequence = sequence
        self.exposedAt = exposedAt
        self.deliveredAt = deliveredAt
        self.exposureMicroseconds = exposureMicroseconds
        self.gain = gain
        self.lux = lux
        self.focusFoM = focusFoM
        self.focusState = focusState
        self.lensPosition = lensPosition
        self.label = label
    }
}

/// The autofocus state that came with a frame.
package enum FocusState: String, Hashable, Sendable {
    case idle
    case scanning
    case focused
    case failed
}
