import TestSupport
import Testing
import Vocabulary

@testable import Delivery

@Suite("ACK memory")
struct AckMemoryTests {
    private let folder = TemporaryFolder()

    private func memory(boot: String = "b1", output: String = "till") -> AckMemory {
        AckMemory(folder: folder.path, output: output, boot: boot)
    }

    private func at(_ seconds: Int64) -> Instant { Instant(nanoseconds: seconds * 1_000_000_000) }

    @Test("What is owed is remembered after the process ends, but no longer than the limit")
    func remembered() {
        memory().save(at(105))
        #expect(memory().load(answerLimit: .seconds(10), at: at(100)) == at(105))
        #expect(memory().load(answerLimit: .seconds(10), at: at(106)) == nil)
        #expect(memory().load(answerLimit: .seconds(3), at: at(100)) == at(103))
        memory().save(nil)
        #expect(memory().load(answerLimit: .seconds(10), at: at(100)) == nil)
    }

    @Test("What an earlier boot owed was sent before this one began")
    func otherBoot() {
        memory(boot: "b0").save(at(100_000))
        #expect(memory().load(answerLimit: .seconds(10), at: at(4)) == at(10))
        #expect(memory().load(answerLimit: .seconds(10), at: at(11)) == nil)
    }

    @Test("Without a file nothing was sent in this boot; with one that can't be read anything may have been")
    func noFile() throws {
        #expect(memory().load(answerLimit: .seconds(10), at: at(100)) == nil)
        #expect(memory().load(answerLimit: .seconds(10), at: at(2)) == at(10))
        try folder.write("owed-till", "nonsense")
        #expect(memory().load(answerLimit: .seconds(10), at: at(100)) == at(110))
    }

    @Test("Without a folder the longest time is assumed at each start")
    func noFolder() {
        let memory = AckMemory(folder: nil, output: "till")
        memory.save(nil)
        #expect(memory.load(answerLimit: .seconds(10), at: at(100)) == at(110))
    }

    @Test("Where an answer may come after any time, a boot is no end: only a stop that leaves nothing owed is")
    func anyTime() throws {
        #expect(!memory().mayBeOwed(), "nothing was ever sent")
        memory().begin()
        #expect(memory().mayBeOwed())
        memory().save(nil)
        #expect(!memory().mayBeOwed(), "the process was killed while nothing was owed")
        #expect(memory(boot: "b2").mayBeOwed(), "the power was cut, and what was written last is lost")
        try folder.write("owed-till", "nonsense")
        #expect(memory().mayBeOwed())
        memory().end()
        #expect(!memory(boot: "b2").mayBeOwed())
        #expect(AckMemory(folder: nil, output: "till").mayBeOwed())
    }

    @Test("An output's name can't form a path")
    func names() {
        memory(output: "../a b/ü").save(at(1))
        #expect(folder.names == ["owed-_2e_2e_2fa_20b_2f_c3_bc"])
    }
}
