import Logging
import Testing

@testable import Station

@Suite("Log lines")
struct LogTests {
    @Test("carry the syslog priority in front when journald reads them")
    func journalPriority() {
        let line = JournalLogHandler.render(
            level: .warning, label: "camera", message: "lost", metadata: ["id": "imx708"], isJournal: true)
        #expect(line == "<4>camera: lost id=imx708\n")
    }

    @Test("escape what a code says, so that it can't forge a line or steer a terminal")
    func controlCharacters() {
        let line = JournalLogHandler.render(
            level: .info, label: "scan", message: "a\n<0>b\u{1b}[2J\u{202e}", metadata: [:], isJournal: false)
        #expect(line == "info: scan: a<LF><0>b<ESC>[2J<U+202E>\n")
    }

    @Test("of one kind are held back beyond the limit, and the held ones are counted")
    func rateLimit() {
        var limit = LogRateLimit(maxPerSecond: 2)
        #expect(limit.admit(kind: "a", at: .zero) == .write(missed: 0))
        #expect(limit.admit(kind: "a", at: .zero) == .write(missed: 0))
        #expect(limit.admit(kind: "a", at: .zero) == .hold)
        #expect(limit.admit(kind: "b", at: .zero) == .write(missed: 0))
        #expect(limit.admit(kind: "a", at: .zero.advanced(by: .seconds(1))) == .write(missed: 1))
    }
}
