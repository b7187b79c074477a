import Testing
import Vocabulary

@Suite struct CheckDigitTests {
    @Test(arguments: ["4006381333931", "036000291452", "96385074", "00012345678905", "30712345000010"])
    func validGS1NumbersPass(number: String) {
        #expect(CheckDigit.isValidGS1Mod10(Array(number.utf8)))
    }

    @Test(arguments: ["4006381333932", "0", "", "40063813339 1", "x"])
    func otherGS1NumbersFail(number: String) {
        #expect(!CheckDigit.isValidGS1Mod10(Array(number.utf8)))
    }

    // ISO/IEC 16388's example has the data CODE39 with the check character W.
    @Test func code39ChecksBySumOfValues() {
        #expect(CheckDigit.isValidMod43(Array("CODE39W".utf8)))
        #expect(!CheckDigit.isValidMod43(Array("CODE39X".utf8)))
        #expect(!CheckDigit.isValidMod43(Array("code39w".utf8)))
        #expect(!CheckDigit.isValidMod43(Array("W".utf8)))
    }

    @Test func codabarChecksBySumOfAllCharacters() {
        // A 3 7 8 5 9 B: 16+3+7+8+5+9+17 = 65; the check character makes it 80.
        #expect(CheckDigit.isValidMod16(Array("A37859+B".utf8)))
        #expect(!CheckDigit.isValidMod16(Array("A378590B".utf8)))
        #expect(!CheckDigit.isValidMod16(Array("37859+".utf8)))
    }

    @Test(arguments: [
        ("04252614", "042100005264"), ("01234531", "012300000451"), ("01234541", "012340000051"),
        ("01234565", "012345000065"), ("01234505", "012000003455"), ("11234518", "112100003458"),
    ])
    func upcEExpands(short: String, long: String) {
        #expect(UPCE.expanded(Array(short.utf8)) == Array(long.utf8))
    }

    @Test(arguments: [("425261", "042100005264"), ("0425261", "042100005264"), ("1123451", "112100003451")])
    func upcEWithoutACheckDigitGetsOne(short: String, long: String) {
        #expect(UPCE.completed(Array(short.utf8)) == Array(long.utf8))
    }

    @Test(arguments: ["42526", "2425261", "042526x", "04252614", ""])
    func otherNumbersAreNotCompleted(short: String) {
        #expect(UPCE.completed(Array(short.utf8)) == nil)
    }

    @Test(arguments: ["0425261", "24252614", "0425261x", ""])
    func otherUPCEDoesNotExpand(short: String) {
        #expect(UPCE.expanded(Array(short.utf8)) == nil)
    }
}
