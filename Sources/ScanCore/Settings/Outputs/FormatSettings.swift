/// How serial, TCP, file and keyboard outputs write a scan: a template, and others for some symbologies.
public struct FormatSettings: Hashable, Sendable {
    /// See `Template` for the language.
    public var template: String
    /// Templates that replace it for a symbology.
    public var templates: [Symbology: String] = [:]

    public init(_ template: String) { self.template = template }
}
