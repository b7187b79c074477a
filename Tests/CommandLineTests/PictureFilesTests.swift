import Foundation
import Glibc
import Reading
import Settings
import Testing
import Vocabulary

@testable import scanstation

@Suite("Pictures on the command line", .timeLimit(.minutes(10)))
final class PictureFilesTests {
    private static let scene = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Sources/Capture/Scene").path
    private let folder = NSTemporaryDirectory() + "pictures-\(UUID().uuidString.prefix(8))"

    init() throws {
        for path in ["a/b", "a/.thumbnails", "empty"] {
            try FileManager.default.createDirectory(atPath: "\(folder)/\(path)", withIntermediateDirectories: true)
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func touch(_ names: String...) {
        for name in names { _ = FileManager.default.createFile(atPath: "\(folder)/\(name)", contents: nil) }
    }

    @Test("a folder is searched below, by name; other files and hidden ones are counted")
    func below() {
        touch("z.png", "a/1.HEIC", "a/b/2.webp", "a/b/film.mp4", "a/notes", "a/.thumbnails/t.jpg", ".x.png")
        var found = PictureFiles()
        found.add(FileName(folder))
        #expect(found.pictures.map(\.description) == ["a/1.HEIC", "a/b/2.webp", "z.png"].map { "\(folder)/\($0)" })
        #expect(found.others == ["mp4": 1, "": 1])
        #expect(found.skipped == "2 files of other kinds (mp4 1, without ending 1), 2 hidden")
        #expect(found.hasFolder && found.empty.isEmpty)
    }

    @Test("links that lead back are followed once, folders without a picture are named")
    func links() {
        touch("a/b/2.webp")
        symlink("..", "\(folder)/a/b/up")
        symlink(folder, "\(folder)/a/all")
        var found = PictureFiles()
        found.add(FileName(folder))
        #expect(found.pictures.count == 1)
        #expect(found.empty.isEmpty)
        var other = PictureFiles()
        other.add(FileName("\(folder)/empty"))
        #expect(other.empty == [FileName("\(folder)/empty")])
    }

    @Test("a minus is standard input, what doesn't exist is left to be told later")
    func others() {
        var found = PictureFiles()
        found.add(FileName("-"))
        found.add(FileName("/nonexistent/x"))
        #expect(found.pictures == [.standardInput, .file(FileName("/nonexistent/x"))])
        #expect(!found.hasFolder && found.skipped == nil)
    }

    @Test("arguments that aren't UTF-8 are found again, in their order")
    func arguments() {
        let odd = [[0x61, 0xE9], [0x61, 0xFF]].map { FileName(bytes: $0 as [UInt8]) }
        var names = ArgumentNames([FileName("scan"), odd[0], FileName("b"), odd[1]])
        let found = ["a\u{FFFD}", "b", "a\u{FFFD}", "c"].map { names.name($0) }
        #expect(found == [odd[0], FileName("b"), odd[1], FileName("c")])
    }

    @Test("scan reads below a folder, says what it skipped, and shows odd names escaped")
    func scan() async throws {
        let odd = FileName(folder + "/a/b").appending(FileName(bytes: Array("caf".utf8) + [0xE9] + Array(".png".utf8)))
        try FileManager.default.copyItem(atPath: Self.scene + "/01-ean13.png", toPath: folder + "/a/plain.png")
        #expect(odd.withCString { rename(folder + "/a/plain.png", $0) } == 0)
        touch("a/film.mp4")
        let result = try await Executable.run(["scan", "--text", folder])
        #expect(result.status == 0)
        #expect(result.output == "\(folder)/a/b/caf\\xE9.png  ean_13  2098765000425  (product)\n")
        #expect(result.errors == "1 code in 1 picture, skipped 1 file of other kinds (mp4 1), 1 hidden\n")
        let nothing = try await Executable.run(["scan", folder + "/empty"])
        #expect(nothing.status == 1 && nothing.errors.contains("no picture in it or below"))
    }

    @Test("How far it is: written over on a terminal, a line every ten seconds in a log, nothing for a handful")
    func progress() {
        let start = Instant(nanoseconds: 0)
        func later(_ seconds: Int) -> Instant { start.advanced(by: .seconds(seconds)) }
        var terminal = PictureProgress(total: 5, isTerminal: true, at: start)
        #expect(terminal.text(done: 1, codes: 1, at: start) == "\r1 of 5 pictures, 1 code\u{1b}[K")
        #expect(terminal.text(done: 5, codes: 9, at: later(60)) == nil, "the summary follows")
        #expect(terminal.clearing == "\r\u{1b}[K")
        var log = PictureProgress(total: 5, isTerminal: false, at: start)
        #expect(log.text(done: 1, codes: 0, at: later(9)) == nil)
        #expect(log.text(done: 2, codes: 3, at: later(10)) == "2 of 5 pictures, 3 codes\n")
        #expect(log.text(done: 3, codes: 3, at: later(19)) == nil)
        #expect(log.text(done: 4, codes: 3, at: later(20)) == "4 of 5 pictures, 3 codes\n")
        #expect(log.clearing == nil)
        var few = PictureProgress(total: 4, isTerminal: true, at: start)
        #expect(few.text(done: 1, codes: 1, at: later(60)) == nil)
        #expect(few.clearing == nil)
    }

    @Test("--scene changes which pictures are shown, not how")
    func sceneKeepsSettings() {
        var configured = ReplaySettings(paths: ["a"])
        configured.framesPerPicture = 7
        configured.loops = false
        configured.isUnpaced = true
        var expected = configured
        expected.paths = ["b"]
        #expect(SettingOptions.replay(["b"], as: .replay(configured)) == .replay(expected))
        #expect(SettingOptions.replay(["b"], as: .automatic) == .replay(ReplaySettings(paths: ["b"])))
    }
}
