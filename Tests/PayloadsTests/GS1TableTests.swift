import Testing

@testable import Payloads

@Suite("The table of application identifiers")
struct GS1TableTests {
    @Test("Every row has a format whose parts could all be read, and an AI of the length its first digits tell")
    func rows() throws {
        for row in GS1Table.all {
            #expect(!row.format.components.isEmpty, "\(row.prefix)")
            #expect(row.format.components.dropLast().allSatisfy { $0.minLength == $0.maxLength }, "\(row.prefix)")
            let prefix = try #require(Bytes(row.prefix).prefix(2).decimal)
            let length = row.prefix.utf8.count + (row.maxDecimals == nil ? 0 : 1)
            #expect(GS1Table.length(ofAIStartingWith: prefix) == length, "\(row.prefix)")
            #expect(!row.title.isEmpty)
        }
    }

    @Test("No identifier is there twice")
    func unique() { #expect(Set(GS1Table.all.map(\.prefix)).count == GS1Table.all.count) }

    @Test("Rows of predefined length have exactly that length")
    func predefined() throws {
        for row in GS1Table.all {
            let prefix = try #require(Bytes(row.prefix).prefix(2).decimal)
            guard let total = GS1Table.predefinedLength(ofElementStartingWith: prefix) else { continue }
            let ai = row.prefix.utf8.count + (row.maxDecimals == nil ? 0 : 1)
            #expect(row.format.minLength == total - ai && row.format.maxLength == total - ai, "\(row.prefix)")
        }
    }

    /// Counts by family, from the General Specifications: a row that gets lost shows here.
    @Test(
        "The families are complete",
        arguments: [
            ("0", 4), ("1", 7), ("2", 13), ("30", 1), ("31", 7), ("32", 10), ("33", 8), ("34", 10), ("35", 8),
            ("36", 10), ("37", 1), ("39", 6), ("40", 4), ("41", 8), ("42", 8), ("43", 31), ("70", 27), ("71", 8),
            ("72", 23), ("80", 24), ("81", 3), ("82", 1), ("9", 10),
        ])
    func families(prefix: String, count: Int) {
        #expect(GS1Table.all.count { $0.prefix.hasPrefix(prefix) } == count)
    }

    @Test(
        "The decimal digit is part of the identifier",
        arguments: [
            ("3100", true), ("3105", true), ("3106", false), ("310", false), ("3909", true), ("3943", true),
            ("3944", false), ("01", true), ("235", true), ("4309", true), ("7040", true), ("8200", true), ("99", true),
            ("3180", false), ("", false), ("1", false),
        ])
    func lookup(ai: String, isKnown: Bool) { #expect((GS1Table.identifier(for: ai) != nil) == isKnown) }
}
