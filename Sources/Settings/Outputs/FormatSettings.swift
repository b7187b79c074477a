import Vocabulary

/// How serial, TCP, file and keyboard outputs write a scan: one template, and perhaps others for some symbologies.
package struct FormatSettings: Hashable, Sendable {
    /// See `Template` for the language.
    package var template: String
    /// Templates that replace it for a symbology.
    package var templates: [Symbology: String] = [:]

    package init(_ template: String) { self.template = template }
}
