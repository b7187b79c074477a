import ReaderProtocol
import Reading
import Settings
import Testing
import Vocabulary

@testable import Decoding

@Suite struct LiveSceneTests {
    private func expect(_ live: LiveScene, _ pictures: [String]) throws {
        let truth = try LiveScene.truth()
        let appearances = try live.show(pictures)
        #expect(appearances.map(\.picture) == pictures)
        for appearance in appearances {
            #expect(appearance.scans.sorted() == truth[appearance.picture], "\(appearance.picture)")
        }
    }

    @Test func everyCodeOfTheSceneIsOneScanEachTimeItAppears() throws {
        #expect(LiveScene.pictures.count == 10)
        try expect(LiveScene(), LiveScene.pictures + LiveScene.pictures)
    }

    /// A slow reader takes longer than `sameSymbolTimeout` for a round of turns: a code that only one turn can read mustn't disappear
    /// meanwhile and be scanned again.
    @Test func aCodeThatStaysIsOneScanHoweverSlowTheReader() throws {
        var live = LiveScene()
        live.framesPerSecond = 8
        live.framesPerPicture = 40
        try expect(live, LiveScene.pictures)
    }

    @Test func aSessionReadsEveryCodeOfAStillPicture() throws {
        var live = LiveScene()
        live.trigger.mode = .host
        live.trigger.maxScans = 64
        try expect(live, LiveScene.pictures)
    }

    @Test func noEffortHasMoreTurnsThanTheStationExpects() {
        var reading = ReadingSettings()
        for symbology in Symbology.allCases { reading.symbologies[symbology] = .standard(for: symbology) }
        let engine = DecodeEngine(rules: DecodeRules(reading))
        #expect(engine.quickTurnCount == ReadEffort.Kind.quick.turns)
        #expect(engine.thoroughTurnCount == ReadEffort.Kind.thorough.turns)
    }
}
