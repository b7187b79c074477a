import Settings
import Templates
import Vocabulary
import Wire

/// `FormatSettings`, compiled: what a line, file or keyboard output writes for a scan.
struct ScanFormat: Hashable, Sendable {
    private let template: Template
    private let templates: [Symbology: Template]
    private let secrets: SecretPolicy

    init(_ settings: FormatSettings, secrets: SecretPolicy) throws(TemplateError) {
        template = try Template(settings.template)
        var templates: [Symbology: Template] = [:]
        for (symbology, source) in settings.templates.sorted(by: { $0.key < $1.key }) {
            do {
                templates[symbology] = try Template(source)
            } catch {
                throw TemplateError(position: error.position, problem: "\(error.problem) (\(symbology.rawValue))")
            }
        }
        self.templates = templates
        self.secrets = secrets
    }

    /// All its templates, the general one first.
    var all: [Template] { [template] + templates.sorted { $0.key < $1.key }.map(\.value) }

    /// Whether each record is a line, whatever the code.
    var endsInLineFeed: Bool { all.allSatisfy(\.endsInLineFeed) }

    /// `nil` unless it is a scan.
    func render(_ event: Event) -> [UInt8]? { template(for: event)?.render(event, secrets: secrets) }

    /// In parts: the template's own text, and the scan's values with the control characters that the code contains.
    func runs(_ event: Event) -> [Template.Run]? { template(for: event)?.runs(event, secrets: secrets) }

    private func template(for event: Event) -> Template? {
        guard case .scan(let body) = event.body else { return nil }
        return templates[body.scan.symbol.symbology] ?? template
    }

    /// Whether a scan contains a secret that must not leave through this output.
    func withholds(_ event: Event) -> Bool {
        ScanValues(event, secrets: secrets)?.isWithheld ?? false
    }
}
