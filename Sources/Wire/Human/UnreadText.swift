import Vocabulary

/// What a person is told about a code that isn't read.
extension UnreadCode {
    /// `bars: too small (1.1 pixels a module)`.
    package var text: String { "\(subject): \(reason)" }

    /// The same with what to do: `…; move it closer, or use a higher resolution`.
    package var textWithAdvice: String { "\(text); \(advice)" }

    /// What it is, as far as that is known.
    package var subject: String {
        if let symbology { return symbology.rawValue }
        return switch kind {
        case .linear: "bars"
        case .matrix: "a matrix code"
        case .picture: "the picture"
        }
    }

    /// The reason with its figure.
    package var reason: String {
        switch cause {
        case .switchedOff: "switched off"
        case .wrongLength: "length not allowed" + figure(1, 0, " (", " characters)")
        case .wrongCheckDigit: "check digit wrong or missing"
        case .inverted: "light on dark, which is switched off"
        case .outsideViewport: "outside the viewport"
        case .inDoubt: "different attempts read different things"
        case .cutOff: "cut off by the edge of what is read"
        case .tooDark: "too dark" + figure(1, 0, " (lightest part: ", " of 255)")
        case .glare: "washed out by glare" + figure(100, 0, " (", " % of it)")
        case .tooSmall: "too small" + figure(1, 1, " (", " pixels a module)")
        case .moving: "moving too fast" + figure(1, 0, " (", " pixels during an exposure)")
        case .blurred:
            moduleWidth == nil
                ? "blurred" + figure(1, 1, " (edges are ", " pixels wide)")
                : "blurred" + figure(1, 1, " (edges are ", " modules wide)")
        case .lowContrast: "too little contrast" + figure(1, 0, " (", " of 255)")
        case .noQuietZone: "no quiet zone" + figure(1, 1, " (", " modules of paper beside it)")
        case .damaged: "can't be made out"
        }
    }

    /// What to do about it.
    package var advice: String {
        let name = symbology?.rawValue ?? "NAME"
        return switch cause {
        case .switchedOff: "to read it, switch on reading.symbologies.\(name)"
        case .wrongLength: "see minLength and maxLength in reading.symbologies.\(name)"
        case .wrongCheckDigit: "see checkDigit in reading.symbologies.\(name), or print the label again"
        case .inverted: "see inverse in reading.symbologies.\(name)"
        case .outsideViewport: "move it into the viewport, or widen capture.viewport"
        case .inDoubt: "hold it straight, closer and flat"
        case .cutOff: "move all of it into view"
        case .tooDark: "give it more light, or use the torch"
        case .glare: "tilt it, or move the light away"
        case .tooSmall: "move it closer, or use a higher capture.resolution"
        case .moving: "hold it still, or give it more light"
        case .blurred: "hold it still, at the distance that the lens is focused on"
        case .lowContrast: "light it evenly; print it darker"
        case .noQuietZone: "keep print and edges away from both ends of the bars"
        case .damaged: "show all of it, flat and straight"
        }
    }

    /// - Parameter factor: from the cause's unit to the shown one.
    private func figure(_ factor: Double, _ decimals: Int, _ before: String, _ after: String) -> String {
        guard let figure else { return "" }
        let scale = decimals == 0 ? 1.0 : 10.0
        let number = Int64((min(max(figure, 0), 1e9) * factor * scale).rounded())
        let text = decimals == 0 ? "\(number)" : "\(number / 10).\(number % 10)"
        return before + text + after
    }
}

extension UnreadCause {
    /// The unit of its figure on the wire.
    package func unit(isModuleKnown: Bool) -> String? {
        switch self {
        case .switchedOff, .wrongCheckDigit, .inverted, .outsideViewport, .inDoubt, .cutOff, .damaged: nil
        case .wrongLength: "characters"
        case .tooDark, .lowContrast: "luma"
        case .glare: "share"
        case .tooSmall: "pixelsPerModule"
        case .moving: "pixels"
        case .blurred: isModuleKnown ? "modules" : "pixels"
        case .noQuietZone: "modules"
        }
    }
}
