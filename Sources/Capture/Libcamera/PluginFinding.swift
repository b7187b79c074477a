/// One plugin file, as `PluginLocator.survey` found it.
package struct PluginFinding: Hashable, Sendable {
    package var path: String
    /// The libcamera that it fits and that runs: "v0.4.0+dfsg"; `nil` when it doesn't fit.
    package var libcamera: String?
    /// Why it doesn't.
    package var problem: String?

    package init(path: String, libcamera: String? = nil, problem: String? = nil) {
        self.path = path
        self.libcamera = libcamera
        self.problem = problem
    }
}
