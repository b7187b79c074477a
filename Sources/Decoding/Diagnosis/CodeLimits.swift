import Vocabulary

/// Why a code isn't read, and the figure that says so (`UnreadCode.figure`).
typealias UnreadReason = (cause: UnreadCause, figure: Double?)

/// From where on light, size and sharpness keep a code from being read. Measured with the corpus and with drawn codes.
enum CodeLimits {
    /// Luma of the lightest part.
    private static let darkest = 60
    /// Luma between dark and light.
    private static let leastContrast = 40
    /// The part of the area that may be washed out.
    private static let mostGlare = 0.06
    /// With darker ink, low contrast isn't the light's fault.
    private static let washedInk = 150
    /// Modules of paper at the narrower end of bars: decoders get by with less than the standards want.
    static let quietZone = 3.5
    /// Pixels a module, for edges that are as sharp as the sensor gives.
    private static let leastModule = (bars: 1.5, matrix: 2.2)
    /// How many times larger an unresolved module may be guessed than it can be.
    private static let mostGuess = 1.4
    /// An edge this wide, in pixels, is as sharp as the sensor gives.
    private static let sensorEdge = 2.4
    /// The widest edge that can be read, in modules.
    private static let widestEdge = (bars: 1.4, matrix: 1.5)
    /// Weak edges beside strong ones: with less, elements have melted into each other, and the module isn't known.
    static let resolved = 0.45

    static func darkness(_ light: LightFigures) -> UnreadReason? {
        light.light < darkest ? (.tooDark, Double(light.light)) : nil
    }

    static func light(_ light: LightFigures, glare: Double) -> UnreadReason? {
        if glare >= mostGlare { return (.glare, glare) }
        guard light.contrast < leastContrast else { return nil }
        return light.dark >= washedInk && light.saturated > 0
            ? (.glare, light.saturated) : (.lowContrast, Double(light.contrast))
    }

    /// - Parameters:
    ///   - width: of an edge in pixels.
    ///   - module: in pixels, if it is known; `guess` if it isn't.
    static func sharpness(width: Double?, module: Double?, guess: Double, isMatrix: Bool) -> UnreadReason? {
        guard let width else { return nil }
        let (least, widest) =
            isMatrix ? (leastModule.matrix, widestEdge.matrix) : (leastModule.bars, widestEdge.bars)
        let isSharp = width <= sensorEdge
        guard let module else {
            guard isSharp else { return (.blurred, width) }
            // What is sharp and larger isn't a code's, or there is more wrong with it.
            return guess < mostGuess * least ? (.tooSmall, min(guess, least)) : nil
        }
        if isSharp { return module < least ? (.tooSmall, module) : nil }
        return width >= widest * module ? (.blurred, width / module) : nil
    }
}
