import TestSupport
import Testing
import Vocabulary

@testable import ConsoleAccess

@Suite("Console links", .timeLimit(.minutes(10)))
struct LinkKeysTests {
    private let folder = TemporaryFolder()
    private var keys: LinkKeys { LinkKeys(ConsoleFolder(folder.file("state")), bootID: "one") }
    private let start = Instant(nanoseconds: 1_000_000_000)

    @Test("a key works once")
    func once() throws {
        let key = try keys.make(at: start)
        #expect(key.utf8.count == 32)
        #expect(keys.use(key, at: start))
        #expect(!keys.use(key, at: start))
    }

    @Test("of many who use one key at the same time, one gets in")
    func race() async throws {
        let key = try keys.make(at: start)
        let wins = Observed(0)
        let (keys, start) = (keys, start)
        await withDiscardingTaskGroup { group in
            for _ in 0..<50 {
                group.addTask { if keys.use(key, at: start) { wins.change { $0 += 1 } } }
            }
        }
        #expect(wins.value == 1)
    }

    @Test(
        "a key ends after ten minutes, with the machine's next start, and when all are voided; one without an end stays"
    )
    func ends() throws {
        let late = start.advanced(by: .seconds(600))
        let key = try keys.make(at: start)
        let stays = try keys.make(at: start, lifetime: nil)
        #expect(!keys.use(key, at: late))
        #expect(!LinkKeys(ConsoleFolder(folder.file("state")), bootID: "two").use(stays, at: late))
        #expect(keys.count(at: late) == 1)
        #expect(keys.use(stays, at: late))
        let other = try keys.make(at: late)
        keys.removeAll()
        #expect(!keys.use(other, at: late))
    }

    @Test("no more than 16 wait: the oldest goes")
    func bounded() throws {
        for _ in 0..<40 { _ = try keys.make(at: start) }
        #expect(keys.count(at: start) == 16)
    }

    @Test(
        "what isn't a key is no path either",
        arguments: ["", "../password", "..", "a/b", String(repeating: "0", count: 32), "\u{0}"])
    func nonsense(_ key: String) throws {
        _ = try keys.make(at: start)
        #expect(!keys.use(key, at: start))
    }
}
