import Testing

/// A linear code to paint.
struct LinearSample: CustomTestStringConvertible {
    var name: String
    var rows: [String]
    /// Width of the code in modules.
    var modules: Double
    var testDescription: String { name }

    static let common = [
        LinearSample(name: "EAN-13", rows: DecodingFixtures.ean13, modules: 95),
        LinearSample(name: "Code 128", rows: DecodingFixtures.code128, modules: 145),
        LinearSample(name: "Code 39", rows: DecodingFixtures.code39, modules: 115),
        LinearSample(name: "ITF-14", rows: DecodingFixtures.itf14, modules: 135),
    ]
}
