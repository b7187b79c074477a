/// One plugin file, as `PluginLocator.survey` found it.
public struct PluginFinding: Hashable, Sendable {
    public var path: String
    /// The libcamera that it fits and that runs: "v0.4.0+dfsg"; `nil` when it doesn't fit.
    public var libcamera: String?
    /// Why it doesn't.
    public var problem: String?

    public init(path: String, libcamera: String? = nil, problem: String? = nil) {
        self.path = path
        self.libcamera = libcamera
        self.problem = problem
    }
}
