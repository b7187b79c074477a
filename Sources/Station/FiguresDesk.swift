import Journal
import Vocabulary

/// How reading went, a day at a time, over restarts. It is written beside the scans, a minute after it changed and at the end: a power cut
/// costs a minute of figures at most, and a card isn't worn out by them.
///
/// Belongs to the station's actor.
final class FiguresDesk {
    private static let writingDelay: Duration = .seconds(60)

    private let journal: any ScanJournal
    private let voice: StationVoice
    private(set) var figures = ReadingFigures()
    private var timer = WakeTimer()
    private var isTimerSet = false
    /// The earlier figures are in these: before that, nothing is written, as it would take their place.
    private var isRestored = false

    init(journal: any ScanJournal, voice: StationVoice) { (self.journal, self.voice) = (journal, voice) }

    func change(in station: isolated Station, _ change: (inout ReadingFigures) -> Void) {
        change(&figures)
        guard !isTimerSet, !station.isStopping else { return }
        isTimerSet = true
        timer.set(at: voice.clock.now.advanced(by: Self.writingDelay), in: station) { station in
            await station.figuresDesk.write(in: station)
        }
    }

    /// Once the journal is open; a journal that isn't is asked again before the first writing.
    func restore(in station: isolated Station) async {
        guard !isRestored else { return }
        do throws(JournalError) {
            let earlier = try await journal.note(.readingFigures)
            guard !isRestored else { return }
            isRestored = true
            if let earlier { figures.add(stored: earlier) }
        } catch {
            voice.note(.debug, kind: "journal", "the figures of earlier runs can't be read yet: \(error.message)")
        }
    }

    /// What can't be written is written with the next change.
    func write(in station: isolated Station) async {
        isTimerSet = false
        await restore(in: station)
        guard isRestored, !figures.days.isEmpty else { return }
        do throws(JournalError) {
            try await journal.remember(figures.stored, as: .readingFigures)
        } catch {
            voice.note(.debug, kind: "journal", "the figures of reading couldn't be written: \(error.message)")
        }
    }

    func stop() { timer.cancel() }
}
