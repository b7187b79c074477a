import Glibc

/// A camera's luma as light: lenses and pixels average light, not its gamma-encoded luma.
enum LinearLight {
    /// By luma, 0 to 255; also 0 to 255.
    static let table: [Float] = (0..<256).map { 255 * powf(Float($0) / 255, gamma) }
    static let gamma: Float = 1.8
    /// Luma from here on may have been brighter.
    static let saturated: UInt8 = 254
}
