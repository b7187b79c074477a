/// Tells whether the open journal is still the one that its names lead to, and whether only the station wrote into it. A value: the caller
/// passes in what it found.
///
/// Writing into a deleted file succeeds, so SQLite says nothing, and whatever the station keeps there is lost with it.
struct JournalWatch: Sendable {
    enum Verdict: Hashable, Sendable {
        case intact
        /// Deleted, moved, replaced or unmounted. The open file is still whole, but nobody will find it.
        case gone(String)
        /// Shorter than the station left it, or something else wrote its log: it can't be trusted.
        case damaged(String)
        /// Something else wrote into the database, or only changed its time: check it.
        case written(String)
    }

    /// After this many checks that found nothing wrong, times aren't looked at any more: they say nothing on this file system.
    static let soundChecks = 3

    let place: JournalPlace
    /// After the station's own last write.
    private var expected: JournalFootprint
    private let believesTimes: Bool

    init(_ place: JournalPlace, now: JournalFootprint, soundChecks: Int = 0) {
        self.place = place
        expected = now
        believesTimes = soundChecks < JournalWatch.soundChecks
    }

    /// Before a read or write.
    func judge(_ found: JournalFootprint) -> Verdict {
        let whereabouts = judgeIdentity(found)
        guard whereabouts == .intact, let log = found.log, let database = found.database, let wasLog = expected.log,
            let wasDatabase = expected.database
        else { return whereabouts }
        let verdict = judge(database, wasDatabase)
        if case .damaged = verdict { return verdict }
        if log.size < wasLog.size { return .damaged("\(place.log) was cut short by something else") }
        if believesTimes, log != wasLog { return .damaged("\(place.log) was written by something else") }
        return verdict
    }

    private func judgeIdentity(_ found: JournalFootprint) -> Verdict {
        let names = [
            (place.folder, expected.folder, found.folder), (place.database, expected.database, found.database),
            (place.log, expected.log, found.log),
        ]
        for (name, was, now) in names {
            guard let was else { continue }
            guard let now else { return .gone("\(name) was deleted, moved or unmounted") }
            if !now.isSame(as: was) {
                return .gone("\(name) is another file now: it was replaced, or something was mounted over it")
            }
        }
        return .intact
    }

    /// Call after the station's own write. It went into the log, whose size and time are now the station's own, and into the database only
    /// at a checkpoint. A file that is no longer the station's isn't accepted, and a database that changed during a commit was written by
    /// something else.
    mutating func wrote(_ found: JournalFootprint, intoDatabase: Bool) -> Verdict {
        var verdict = judgeIdentity(found)
        if verdict == .intact, !intoDatabase, let database = found.database, let was = expected.database {
            verdict = judge(database, was)
        }
        if verdict == .intact { expected = found }
        return verdict
    }

    private func judge(_ database: JournalFootprint.File, _ was: JournalFootprint.File) -> Verdict {
        if database.size < was.size { return .damaged("\(place.database) was cut short by something else") }
        if believesTimes, database != was { return .written("\(place.database) was written by something else") }
        return .intact
    }

    /// Whether the names lead to the open files, whatever was written into them.
    func isInPlace(_ found: JournalFootprint) -> Bool { judgeIdentity(found) == .intact }
}
