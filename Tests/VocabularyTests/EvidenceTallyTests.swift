import Testing

@testable import Vocabulary

@Suite("What speaks for a code")
struct EvidenceTallyTests {
    private func tally(_ looks: (Evidence.Decoder, pass: Int, lines: Int)...) -> EvidenceTally {
        var tally = EvidenceTally()
        for look in looks { tally.add(look.0, pass: look.pass, strength: look.lines) }
        return tally
    }

    @Test("one look of ZXing suffices for an EAN-13, one of ZBar on few lines wants another")
    func ean() {
        #expect(tally((.zxing, 1, 16)).suffices(for: .ean13) && !tally((.zxing, 1, 16)).isDoubtful(for: .ean13))
        #expect(!tally((.zxing, 1, 16)).wantsAnotherPass(for: .ean13))
        let few = tally((.zbar, 1, 3))
        #expect(!few.suffices(for: .ean13) && few.wantsAnotherPass(for: .ean13))
        let same = tally((.zbar, 1, 3), (.zbar, 1, 4))
        #expect(!same.suffices(for: .ean13) && same.wantsAnotherPass(for: .ean13))
        let two = tally((.zbar, 1, 3), (.zbar, 2, 2))
        #expect(two.suffices(for: .ean13) && !two.wantsAnotherPass(for: .ean13))
        #expect(tally((.zbar, 1, 20)).suffices(for: .ean13))
    }

    @Test("a retail number on few lines of ZXing's waits for another pass or another decoder, other codes don't")
    func doubtful() {
        for symbology in [Symbology.ean13, .ean8, .upcA, .upcE] {
            #expect(tally((.zxing, 1, 2)).isDoubtful(for: symbology))
            #expect(tally((.zxing, 1, 2)).wantsAnotherPass(for: symbology))
            #expect(tally((.zxing, 1, 2), (.zxing, 1, 2)).wantsAnotherPass(for: symbology))
            for other in [Evidence.Decoder.zxing, .zbar, .soft] {
                #expect(!tally((.zxing, 1, 2), (other, 2, 12)).wantsAnotherPass(for: symbology))
            }
        }
        var frames = EvidenceTally()
        for picture in UInt64(1)...4 {
            #expect(picture == 1 || frames.wantsAnotherPass(for: .ean13))
            frames.add(.zxing, pass: 1, strength: 2, picture: picture)
        }
        #expect(!frames.wantsAnotherPass(for: .ean13))
        #expect(!tally((.zxing, 1, 2)).wantsAnotherPass(for: .code128))
    }

    @Test("a code that no further look of ZBar's would make certain asks for none")
    func weak() {
        for symbology in [Symbology.code39, .itf, .dataBarExpanded] {
            let one = tally((.zbar, 1, 3))
            #expect(!one.suffices(for: symbology) && !one.wantsAnotherPass(for: symbology))
        }
        #expect(tally((.zbar, 1, 0)).suffices(for: .qrCode))
    }

    @Test("the soft reader alone suffices for long codes with a margin; otherwise another decoder must agree")
    func soft() {
        #expect(tally((.soft, 1, 12)).suffices(for: .ean13) && tally((.soft, 1, 12)).suffices(for: .upcA))
        #expect(!tally((.soft, 1, 12)).wantsAnotherPass(for: .ean13))
        #expect(!tally((.soft, 1, 11)).suffices(for: .ean13) && tally((.soft, 1, 11)).wantsAnotherPass(for: .ean13))
        #expect(tally((.soft, 1, 11), (.zbar, 2, 2)).suffices(for: .ean13))
        for symbology in [Symbology.code128, .code39, .itf, .itf14, .code93, .codabar] {
            #expect(tally((.soft, 1, 12)).suffices(for: symbology) && !tally((.soft, 1, 11)).suffices(for: symbology))
        }
        for symbology in [Symbology.ean8, .upcE] {
            let alone = tally((.soft, 1, 40))
            #expect(!alone.suffices(for: symbology) && alone.wantsAnotherPass(for: symbology))
            #expect(tally((.soft, 1, 8), (.zxing, 2, 2)).suffices(for: symbology))
            #expect(tally((.soft, 1, 8), (.zbar, 2, 2)).suffices(for: symbology))
        }
    }

    @Test("a live code is scanned on what a still picture asks for; one decoder's few lines need four pictures, too")
    func convincing() {
        func seen(_ decoder: Evidence.Decoder, passes: Int, lines: Int, pictures: Int) -> EvidenceTally {
            var tally = EvidenceTally()
            for number in 0..<max(passes, pictures) {
                tally.add(
                    decoder, pass: number % passes, strength: lines, picture: UInt64(number % pictures))
            }
            return tally
        }
        for symbology in [Symbology.ean13, .upcA] {
            #expect(seen(.zxing, passes: 1, lines: 16, pictures: 1).convinces(for: symbology))
            #expect(!seen(.zxing, passes: 1, lines: 2, pictures: 3).convinces(for: symbology))
            #expect(seen(.zxing, passes: 1, lines: 2, pictures: 4).convinces(for: symbology))
            #expect(seen(.zxing, passes: 2, lines: 2, pictures: 1).convinces(for: symbology))
            #expect(!seen(.zbar, passes: 2, lines: 20, pictures: 3).convinces(for: symbology))
            #expect(seen(.zbar, passes: 2, lines: 20, pictures: 4).convinces(for: symbology))
            #expect(!seen(.zbar, passes: 1, lines: 3, pictures: 4).convinces(for: symbology))
            #expect(seen(.zbar, passes: 1, lines: 32, pictures: 1).convinces(for: symbology))
            #expect(tally((.zxing, 1, 2), (.zbar, 1, 2)).convinces(for: symbology))
            #expect(tally((.soft, 1, 12)).convinces(for: symbology))
        }
        for symbology in [Symbology.code39, .itf, .codabar, .code93, .ean8, .upcE] {
            #expect(!seen(.zbar, passes: 2, lines: 9, pictures: 4).convinces(for: symbology))
            #expect(!seen(.zxing, passes: 1, lines: 40, pictures: 3).convinces(for: symbology))
            #expect(seen(.zxing, passes: 1, lines: 2, pictures: 4).convinces(for: symbology))
            #expect(tally((.zxing, 1, 2), (.zbar, 1, 2)).convinces(for: symbology))
        }
        for symbology in [Symbology.qrCode, .dataMatrix, .code128] {
            #expect(seen(.zxing, passes: 1, lines: 2, pictures: 1).convinces(for: symbology))
        }
        #expect(!seen(.zbar, passes: 1, lines: 3, pictures: 4).convinces(for: .code128))
    }

    @Test("a QR code that only the soft reader restores, and just, waits for another decoder")
    func restored() {
        func restored(margin: Int, pictures: Int) -> EvidenceTally {
            var tally = EvidenceTally()
            for picture in 0..<pictures {
                tally.add(.soft, pass: 1, strength: margin, picture: UInt64(picture))
            }
            return tally
        }
        #expect(restored(margin: 26, pictures: 1).convinces(for: .qrCode))
        #expect(!restored(margin: 26, pictures: 1).wantsAnotherPass(for: .qrCode))
        #expect(!restored(margin: 25, pictures: 4).convinces(for: .qrCode))
        #expect(restored(margin: 25, pictures: 4).wantsAnotherPass(for: .qrCode))
        #expect(tally((.soft, 1, 17), (.zxing, 2, 0)).convinces(for: .qrCode))
        // A still picture has no other.
        #expect(restored(margin: 17, pictures: 1).suffices(for: .qrCode))
    }

    @Test("what error correction may invent waits for another pass, or for another picture")
    func invented() {
        for symbology in [Symbology.pdf417, .aztec, .microQRCode] {
            #expect(tally((.zxing, 1, 0)).wantsAnotherPass(for: symbology))
            #expect(!tally((.zxing, 1, 0), (.zxing, 2, 0)).wantsAnotherPass(for: symbology))
            // A still picture has no other: error correction must have enough left.
            #expect(!tally((.zxing, 1, 49)).suffices(for: symbology) && tally((.zxing, 1, 50)).suffices(for: symbology))
            #expect(tally((.zxing, 1, 0), (.zxing, 2, 0)).suffices(for: symbology))
            #expect(!tally((.zxing, 1, 100)).convinces(for: symbology))
            var frames = EvidenceTally()
            frames.add(.zxing, pass: 1, strength: 0, picture: 7)
            frames.add(.zxing, pass: 1, strength: 0, picture: 7)
            #expect(frames.wantsAnotherPass(for: symbology))
            frames.add(.zxing, pass: 1, strength: 0, picture: 8)
            #expect(!frames.wantsAnotherPass(for: symbology))
        }
        for symbology in [Symbology.qrCode, .dataMatrix] {
            #expect(!tally((.zxing, 1, 0)).wantsAnotherPass(for: symbology))
        }
    }

    @Test("ZXing's votes count threefold, the soft reader's finding as much as one of them")
    func score() {
        #expect(tally((.zxing, 1, 2), (.zbar, 1, 2), (.zbar, 2, 2), (.zbar, 2, 9)).score == 5)
        #expect(tally((.soft, 1, 9), (.soft, 1, 30)).score == 2)
    }
}
