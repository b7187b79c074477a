/// A place that looks like a code and isn't read, with the likeliest reason.
package struct UnreadCode: Hashable, Sendable {
    /// On the frame or picture, normalised to 0…1.
    package var corners: Quad
    package var kind: Kind
    /// The width of a module in pixels, as far as it can be told.
    package var moduleWidth: Double?
    package var cause: UnreadCause
    /// In the cause's unit; `nil` for a cause without one.
    package var figure: Double?
    /// What it is, for causes that know.
    package var symbology: Symbology?

    package init(
        corners: Quad, kind: Kind, moduleWidth: Double? = nil, cause: UnreadCause, figure: Double? = nil,
        symbology: Symbology? = nil
    ) {
        self.corners = corners
        self.kind = kind
        self.moduleWidth = moduleWidth
        self.cause = cause
        self.figure = figure
        self.symbology = symbology
    }

    package enum Kind: String, CaseIterable, Hashable, Sendable {
        /// Parallel bars.
        case linear
        /// Anything else: QR, Data Matrix, Aztec…
        case matrix
        /// All of the picture: nothing in it looks like a code, and it is too dark or too blurred to tell.
        case picture
    }
}

/// Why a code isn't read. Each has one figure at most; the raw values are those of the wire format.
package enum UnreadCause: String, CaseIterable, Hashable, Sendable {
    /// Was read, but the rules don't ask for this symbology.
    case switchedOff
    /// Was read, but a rule refuses it: its length (figure: characters).
    case wrongLength
    /// Was read, but its check digit is wrong, or is missing.
    case wrongCheckDigit
    /// Was read, but light on dark isn't asked for.
    case inverted
    /// Was read outside the viewport.
    case outsideViewport
    /// Two looks at it read different things, or the bars contradict what was read.
    case inDoubt
    /// Part of it is beyond the edge of the picture.
    case cutOff
    /// Figure: luma of the lightest part, 0…255.
    case tooDark
    /// Washed out by light: figure: part of its area, 0…1.
    case glare
    /// Figure: pixels a module.
    case tooSmall
    /// It moves too fast for the exposure. Figure: pixels during one exposure.
    case moving
    /// Figure: width of an edge in modules, from dark to light; in pixels if the module isn't known.
    case blurred
    /// Figure: luma between dark and light, 0…255.
    case lowContrast
    /// Something is printed, or the label ends, right beside the bars. Figure: modules of quiet zone.
    case noQuietZone
    /// Nothing of the above: dirty, torn, too little of it in view, or no code at all.
    case damaged
}
