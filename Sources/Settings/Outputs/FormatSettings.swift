import Vocabulary

/// How serial, TCP, file and keyboard outputs write a scan: a template, and others for some symbologies.
package struct FormatSettings: Hashable, Sendable {
    /// See `Template` for the language.
    package var template: String
    /// Templates that replace it for a symbology.
    package var templates: [Symbology: String] = [:]

    package init(_ template: String) { self.template = template }
}
