import ReaderProtocol
import Vocabulary

/// Reads one region by one decoder, for the benchmarks: what a locator is worth is what is read of its regions. No ballot over several looks.
package final class RegionProbe {
    private let rules: SymbologyRules
    private let reader: RegionReader

    package init(rules: DecodeRules) {
        self.rules = SymbologyRules(rules)
        reader = RegionReader(wanted: DecoderSymbologies(self.rules.decoderSymbologies), readsAddOns: false)
    }

    /// - Returns: symbols with corners normalised to `luma`, 0…1.
    package func read(_ luma: LumaView, _ region: LocatedRegion, by look: RegionLook) -> [Symbol] {
        guard RegionLook.looks(at: region.kind).contains(look) else { return [] }
        let picture = LumaPlane(borrowing: luma)
        var ballot = Ballot(rules: rules)
        var nobodyCounts: FinderCrowd?
        let readings = reader.read(region, of: picture, by: look.pass(over: region.kind), crowd: &nobodyCounts)
        ballot.addAgreeing(readings)
        return ballot.winners(demandsAgreement: false).map {
            Symbol($0, content: 0, size: picture.size)
        }
    }
}
