/// Tells whether the open journal is still the one that its names lead to, and whether only the station wrote into it. A value:
/// what is found is handed in.
///
/// Writing into a file that was deleted succeeds, so SQLite says nothing: whatever the station keeps there ends with it.
struct JournalWatch: Sendable {
    enum Verdict: Hashable, Sendable {
        case intact
        /// Deleted, moved, replaced or unmounted. What is open is still whole, and nobody will find it.
        case gone(String)
        /// Shorter than the station left it, or its log was written by something else: it can't be believed.
        case damaged(String)
        /// Something else wrote into the database, or only changed its time: to be checked.
        case written(String)
    }

    /// Checks that found nothing wrong before times aren't looked at any more: on such a file system they tell nothing.
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
            if !now.isSame(as: was) { return .gone("\(name) is another one now: it was replaced, or mounted over") }
        }
        return .intact
    }

    /// After the station's own write: into the log, the size and time of which are its own then, and into the database only at a
    /// checkpoint. What isn't its own file any more isn't taken for it, and a database that changes during a commit was written by something else.
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
