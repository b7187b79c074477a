import Glibc
import TestSupport
import Testing

@testable import ConsoleAccess

@Suite("Console password", .timeLimit(.minutes(10)))
struct PasswordTests {
    private let folder = TemporaryFolder()

    @Test("a hash is right for its password alone, and two hashes of one password differ")
    func hashes() throws {
        let hash = try PasswordHash(password: "correct horse")
        #expect(hash.matches("correct horse"))
        #expect(!hash.matches("correct horse "))
        #expect(!hash.matches(""))
        #expect(try PasswordHash(password: "correct horse") != hash)
        #expect(PasswordHash(hash.description) == hash)
    }

    /// RFC 7914, section 12: N=1024, r=8, p=16, password "password", salt "NaCl".
    @Test("the RFC's test vector")
    func vector() {
        let hash = PasswordHash(
            "$scrypt$ln=10,r=8,p=16$TmFDbA$"
                + "/bq+HJ00cgB4VucZDQHp/nxq18vII3gw53N2Y0s3MWIurzDZLiKjiG/xCSedmDDaxyevuUqD7m2DYMvfoswGQA")
        #expect(hash?.matches("password") == true)
        #expect(hash?.matches("Password") == false)
    }

    @Test(
        "a text that isn't such a hash, or would keep a Pi busy, is none",
        arguments: [
            "", "$", "hunter2", "$scrypt$ln=30,r=8,p=1$c2FsdHNhbHQ$aGFzaGhhc2hoYXNoaGFzaA",
            "$scrypt$ln=14,r=99999,p=1$c2FsdHNhbHQ$aGFzaGhhc2hoYXNoaGFzaA",
            "$scrypt$ln=14,r=8,p=1$$aGFzaGhhc2hoYXNoaGFzaA", "$scrypt$ln=14,r=8,p=1$c2FsdHNhbHQ$",
            "$scrypt$ln=14,r=8$c2FsdHNhbHQ$aGFzaGhhc2hoYXNoaGFzaA", "$argon2id$v=19$m=1,t=1,p=1$c2FsdA$aGFzaA",
            "$scrypt$ln=14,r=8,p=1$c2FsdHNhbHQ$****",
        ])
    func nonsense(_ text: String) { #expect(PasswordHash(text) == nil) }

    @Test("passwords that are too short or too long are refused with the bound")
    func bounds() {
        #expect { try PasswordHash(password: "seven77") } throws: { "\($0)".contains("at least 8") }
        #expect { try PasswordHash(password: String(repeating: "x", count: 257)) } throws: {
            "\($0)".contains("at most 256")
        }
    }

    @Test("the file is for its owner alone, and comes back")
    func file() throws {
        let file = PasswordFile(ConsoleFolder(folder.file("state/console")))
        #expect(try file.read() == nil)
        let hash = try PasswordHash(password: "correct horse")
        try file.write(hash)
        #expect(try file.read() == hash)
        var status = stat()
        #expect(stat(folder.file("state/console/password"), &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
        #expect(stat(folder.file("state/console"), &status) == 0)
        #expect(status.st_mode & 0o777 == 0o700)
        #expect(file.remove())
        #expect(!file.remove())
        #expect(try file.read() == nil)
    }

    @Test("a damaged file isn't taken for no password")
    func damaged() throws {
        try folder.write("password", "not a hash\n")
        #expect { try PasswordFile(ConsoleFolder(folder.path)).read() } throws: {
            "\($0)".contains("scanstation console password")
        }
        try folder.write("password", [UInt8](repeating: 65, count: 100_000))
        #expect { try PasswordFile(ConsoleFolder(folder.path)).read() } throws: { "\($0)".contains("longer") }
    }
}
