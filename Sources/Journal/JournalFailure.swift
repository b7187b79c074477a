import GRDB

/// What went wrong in the storage, sorted by what to do about it.
enum JournalFailure: Error, Sendable {
    /// No room: give up the ballast, report it, try again.
    case diskFull(String)
    /// The file is damaged: set it aside.
    case damaged(String)
    /// The names no longer lead to the open file: make a new one.
    case gone(String)
    /// Something else wrote into the file: check it.
    case written(String)
    /// A statement was wrong for the data: this should never happen, and nothing is broken.
    case rejected(String)
    /// Written by a newer version: leave it alone.
    case newer(String)
    /// Any other trouble with the disk: close, and open again later.
    case storage(String)

    init(_ error: any Error, place: JournalPlace, freeBytes: UInt64?) {
        switch error {
        case let failure as JournalFailure: self = failure
        case let fault as JournalFault: self = JournalFailure(fault)
        case let error as JournalError where error.code == .full: self = .diskFull(error.message)
        case let error as JournalError: self = .storage(error.message)
        case let error as DatabaseError: self = JournalFailure(error, place: place, freeBytes: freeBytes)
        default: self = .storage("\(place.database): \(error)")
        }
    }

    private init(_ fault: JournalFault) {
        switch fault {
        case .diskFull: self = .diskFull("database or disk is full")
        case .damaged: self = .damaged("database disk image is malformed")
        case .storage(let message): self = .storage(message)
        }
    }

    private init(_ error: DatabaseError, place: JournalPlace, freeBytes: UInt64?) {
        let message = "\(place.database): \(error.message ?? "SQLite error \(error.extendedResultCode.rawValue)")"
        switch error.resultCode {
        case .SQLITE_FULL: self = .diskFull(message)
        case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_FORMAT: self = .damaged(message)
        case .SQLITE_CONSTRAINT, .SQLITE_TOOBIG, .SQLITE_MISMATCH, .SQLITE_RANGE: self = .rejected(message)
        case .SQLITE_IOERR, .SQLITE_CANTOPEN:
            // SQLite doesn't give the reason: growing the shared index on a full disk, for example, is just an I/O error.
            let isFull = freeBytes.map { $0 < JournalLimits.scarceBytes } ?? false
            self = isFull ? .diskFull(message) : .storage(message)
        default: self = .storage(message)
        }
    }

    var message: String {
        switch self {
        case .diskFull(let text), .damaged(let text), .gone(let text), .written(let text), .rejected(let text),
            .newer(let text), .storage(let text):
            text
        }
    }
}
