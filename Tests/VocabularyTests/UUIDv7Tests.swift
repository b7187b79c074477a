import Testing

@testable import Vocabulary

@Suite struct UUIDv7Tests {
    @Test func theExampleOfTheStandard() {
        // RFC 9562, appendix A.6: 2022-02-22 14:22:22.00-05:00; its rand_a (0xCC3) is our fraction of the millisecond.
        let fraction: Int64 = (0xCC3 * 1_000_000 + 4095) / 4096
        let id = UUIDv7(wallNanoseconds: 1_645_557_742_000 * 1_000_000 + fraction, random: 0x18C4_DC0C_0C07_398F)
        #expect(id.description == "017f22e2-79b0-7cc3-98c4-dc0c0c07398f")
    }

    @Test func versionAndVariantStandWhateverTheRandomBits() {
        for random in [0, UInt64.max, 0x8000_0000_0000_0000] {
            let text = Array(UUIDv7(wallNanoseconds: 1, random: random).description)
            #expect(text.count == 36)
            #expect(text[14] == "7")
            #expect("89ab".contains(text[19]))
        }
    }

    @Test func idsSortByTime() {
        // A quarter of a microsecond is what the 12 bits resolve.
        let times: [Int64] = [-5, 1, 300, 999_999, 1_000_000, 1_000_250, 1 << 50, .max]
        let ids = times.map { UUIDv7(wallNanoseconds: $0, random: 0).description }
        #expect(ids == ids.sorted())
        #expect(Set(ids.dropFirst()).count == ids.count - 1)
    }
}
