import Testing
import Vocabulary

@Suite struct SymbologyCodeTests {
    @Test func everySymbologyHasANumberOfItsOwnThatFitsAMask() {
        let codes = Symbology.allCases.map(\.code)
        #expect(Set(codes).count == codes.count)
        #expect(codes.allSatisfy { (1...31).contains($0) })
        for symbology in Symbology.allCases { #expect(Symbology(code: symbology.code) == symbology) }
        for code in 0...UInt8.max where !codes.contains(code) { #expect(Symbology(code: code) == nil) }
    }
}
