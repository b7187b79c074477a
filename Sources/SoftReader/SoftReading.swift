import Vocabulary

/// A linear code as the soft reader saw it.
package struct SoftReading: Sendable {
    /// `.ean13`, `.ean8`, `.upcA`, `.upcE`, `.code128`, `.code39`, `.itf`, `.code93` or `.codabar`.
    package let symbology: Symbology
    /// In ASCII. EAN and UPC: with the check digit, 13, 8, 12, 8. Code 128: in ISO 8859-1, without the check character, GS (0x1D) between fields. Interleaved 2 of 5: 14, with the check
    /// digit. Code 93: without check characters. Codabar: with the letters at its ends.
    package let bytes: [UInt8]
    /// A Code 128 that begins with function character 1.
    package let isGS1: Bool
    /// How much likelier, as a logarithm, these bars are than the next likeliest that its symbology could have, right check or not.
    package let margin: Float
    /// Part of the profile's variance that the code explains, up to 1.
    package let explained: Float
    /// In pixels, on average.
    package let moduleWidth: Float
    /// The code runs from the line's right end to its left one: upside down, or mirrored.
    package let isReversed: Bool
    /// The outer edges of the first and the last bar, in pixels of the picture: in the code's own direction, the first digit at `left`.
    package let left: Point
    package let right: Point
}
