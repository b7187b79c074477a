import Vocabulary

/// How bright the viewport was in the newest frame.
package struct SceneLight: Hashable, Sendable {
    /// 0…255.
    package var meanLuma: Float
    /// When it was exposed.
    package var at: Instant
}
