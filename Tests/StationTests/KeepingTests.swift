import Foundation
import Journal
import Peripherals
import Settings
import Testing
import Vocabulary
import Wire

@testable import Station

/// What the beep promises: the journal is between the scan loop and the outputs.
@Suite("Keeping scans", .timeLimit(.minutes(10)))
struct KeepingTests {
    private static let qr = "04-qr-url.png"

    private func wasOn(_ line: String, _ panel: SimulatedPanel) -> Bool {
        panel.trace.contains { $0.line == line && $0.what == .level(true) }
    }

    /// Waits until a line has been on.
    private func untilOn(_ line: String, _ panel: SimulatedPanel) async {
        var changes = panel.changes().makeAsyncIterator()
        while !wasOn(line, panel), await changes.next() != nil {}
    }

    @Test("a scan is reported and beeps once it is kept, not before; the light answers at once")
    func beepAfterCommit() async throws {
        let journal = GatedJournal()
        journal.hold()
        let harness = try await StationHarness.start(pictures: [Self.qr], journal: journal)
        await journal.untilHeld()
        await untilOn("GPIO22", harness.panel)
        #expect(!wasOn("GPIO18", harness.panel))
        #expect(await harness.station.counters.scans == 0)
        journal.release()
        let scan = try await harness.nextScan()
        #expect(scan.scan.sequence == 1)
        #expect(!scan.journal.isEmpty)
        await untilOn("GPIO18", harness.panel)
        await harness.station.stop()
    }

    @Test("that it can scan is heard once, when the camera runs and the journal is open")
    func readyIsHeard() async throws {
        let journal = GatedJournal()
        let harness = try await StationHarness.start(pictures: [Self.qr], journal: journal) {
            $0.feedback.patterns[.ready] = FeedbackPattern([
                .init(light: .error, duration: FeedbackPattern.shortestStep)
            ])
            // A code that is read at once would be heard instead.
            $0.trigger.mode = .host
        }
        await untilOn("GPIO23", harness.panel)
        #expect(wasOn("GPIO24", harness.panel))
        #expect(await harness.station.perform(.trigger).error == nil)
        _ = try await harness.nextScan()
        await harness.station.stop()
        #expect(harness.panel.trace.filter { $0.line == "GPIO23" && $0.what == .level(true) }.count == 1)
    }

    @Test("a damaged journal, a disk that forgets and a slow one are reported; scans go on")
    func troubles() async throws {
        let journal = GatedJournal()
        journal.found(setAside: "/state/journal-damaged-1.db", warning: "the state folder /state is on tmpfs")
        let harness = try await StationHarness.start(pictures: [Self.qr, "05-empty.png"], journal: journal) {
            $0.journal.storage = .disk
            // A code that is read at once would come before what it is to come after.
            $0.trigger.mode = .host
        }
        #expect(try await harness.nextError(of: "journal", "damaged").message.contains("/state/journal-damaged-1.db"))
        #expect(try await harness.nextError(of: "journal", "volatile").message.contains("on tmpfs"))
        journal.tell(.storageSlow(detail: "a commit took 400 ms"))
        #expect(try await harness.nextState(of: "journal", "storageSlow").detail == "a commit took 400 ms")
        #expect(await harness.station.perform(.trigger).error == nil)
        _ = try await harness.nextScan()
        journal.tell(.ready)
        _ = try await harness.nextState(of: "journal", "ready")
        await harness.station.stop()
    }

    @Test("the end of a session is reported after the scan that ended it, however slow the disk is")
    func order() async throws {
        let journal = GatedJournal()
        let harness = try await StationHarness.start(pictures: [Self.qr], journal: journal) { $0.trigger.mode = .host }
        _ = try await harness.nextState(of: "camera", "running")
        journal.hold()
        #expect(await harness.station.perform(.trigger).error == nil)
        await journal.untilHeld()
        journal.release()
        var seen: [String] = []
        while seen.count < 2 {
            seen.append(
                try await harness.next { body in
                    switch body {
                    case .scan: "scan"
                    case .state(let state) where state.part == "session" && state.state == "ended": "ended"
                    default: nil
                    }
                })
        }
        #expect(seen == ["scan", "ended"])
        await harness.station.stop()
    }

    @Test("a scan that can't be kept is not accepted: reported, heard, and read again when there is room")
    func cannotKeep() async throws {
        let journal = GatedJournal()
        journal.fail(JournalError(.full, "the disk is full"))
        let harness = try await StationHarness.start(pictures: [Self.qr], journal: journal)
        journal.fail(JournalError(.full, "the disk is full"))
        let state = try await harness.nextState(of: "journal", "full")
        #expect(state.detail == "the disk is full")
        #expect(await harness.station.perform(.status).fields["journal"] != nil)
        #expect(await harness.station.counters.scans == 0)
        journal.fail(nil)
        _ = try await harness.nextState(of: "journal", "ready")
        let scan = try await harness.nextScan()
        #expect(scan.scan.sequence == 1)
        #expect(wasOn("GPIO23", harness.panel))
        await harness.station.stop()
    }

    @Test("a trigger while nothing can be kept is refused, with the reason")
    func triggerRefused() async throws {
        let journal = GatedJournal()
        let harness = try await StationHarness.start(pictures: [Self.qr], journal: journal) { $0.trigger.mode = .host }
        _ = try await harness.nextState(of: "camera", "running")
        journal.fail(JournalError(.full, "the disk is full"))
        _ = try await harness.nextState(of: "journal", "full")
        #expect(await harness.station.perform(.trigger).error?.contains("the disk is full") == true)
        await harness.station.stop()
    }

    @Test("a journal that is deleted while it runs is reported and heard, and the next one by its id; numbers go on")
    func vanished() async throws {
        let folder = NSTemporaryDirectory() + "keep-\(UUID().uuidString.prefix(8))"
        defer { for path in [folder, folder + "-gone"] { try? FileManager.default.removeItem(atPath: path) } }
        let harness = try await StationHarness.start(pictures: [Self.qr, "05-empty.png"]) {
            $0.journal.storage = .disk
            $0.journal.folder = folder
        }
        let first = try await harness.nextScan()
        // At once: while its files are deleted one by one, the station makes new ones among them.
        try FileManager.default.moveItem(atPath: folder, toPath: folder + "-gone")
        let state = try await harness.nextState(of: "journal", "unavailable")
        #expect(state.detail?.contains("was deleted") == true)
        // Four low beeps and the red light.
        await untilOn("GPIO23", harness.panel)
        #expect(try await harness.nextError(of: "journal", "replaced").message.contains(first.journal))
        let ready = try await harness.nextState(of: "journal", "ready")
        let id = try #require(ready.fields["journal"])
        #expect(id != .string(first.journal))
        let next = try await harness.nextScan()
        #expect(.string(next.journal) == id)
        #expect(next.scan.sequence > first.scan.sequence)
        #expect(FileManager.default.fileExists(atPath: folder + "/journal.db"))
        await harness.station.stop()
    }

    @Test("sequences go on where the journal ended, across restarts")
    func acrossRestarts() async throws {
        let folder = NSTemporaryDirectory() + "keep-\(UUID().uuidString.prefix(8))"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var last: (UInt64, String) = (0, "")
        for _ in 1...2 {
            let harness = try await StationHarness.start(pictures: [Self.qr]) {
                $0.journal.storage = .disk
                $0.journal.folder = folder
            }
            let scan = try await harness.nextScan()
            #expect(scan.scan.sequence == last.0 + 1)
            if last.0 > 0 { #expect(scan.journal == last.1) }
            last = (scan.scan.sequence, scan.journal)
            await harness.station.stop()
        }
    }
}
