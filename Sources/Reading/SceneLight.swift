import ScanCore

/// How bright the viewport was in the newest frame.
public struct SceneLight: Hashable, Sendable {
    /// 0…255.
    public var meanLuma: Float
    /// When it was exposed.
    public var at: Instant
}
