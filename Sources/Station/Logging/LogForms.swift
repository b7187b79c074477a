import Capture
import Control
import Logging
import Reading
import Settings

// How values of the lower modules look in the log.

extension ReaderNotice.Level {
    var log: Logger.Level {
        switch self {
        case .debug: .debug
        case .info: .info
        case .warning: .warning
        case .error: .error
        }
    }
}

extension ControlNotice {
    var logLine: (Logger.Level, String) {
        switch self {
        case .connected(let client, let peer):
            (.debug, "\(client)\(peer.map { " (process \($0.processID))" } ?? "") has connected")
        case .disconnected(let client): (.debug, "\(client) has gone")
        case .slowClientDropped(let client, let waiting):
            (.warning, "\(client) was closed: it didn't read, and \(waiting) lines waited for it (control.clientQueue)")
        case .overlongLine(let client, let limit):
            (.warning, "\(client) was closed: it sent a line of more than \(limit) bytes (control.maxLineBytes)")
        case .tooManyClients(let limit):
            (.warning, "a client was turned away: there are \(limit) already (control.maxClients)")
        case .strangerTurnedAway(let peer):
            (
                .warning,
                "a program of user \(peer.map { "\($0.userID)" } ?? "unknown") wanted to use the console's socket and may not (console.user)"
            )
        case .socketGone(let path, let reason):
            (.error, "the socket \(path) is gone, and no new client can connect: \(reason)")
        case .socketBack(let path): (.warning, "the socket \(path) was removed, and has been made again")
        case .acceptFailed(let reason): (.warning, "no client can connect for the moment: \(reason)")
        case .eventsDropped(let count):
            (.warning, "\(count) events were lost: they came faster than they could be sent")
        }
    }
}

extension CaptureLogLine.Level {
    var log: Logger.Level {
        switch self {
        case .debug: .debug
        case .info: .info
        case .warning: .warning
        case .error: .error
        }
    }
}

extension LogSettings.Level {
    package var logger: Logger.Level {
        switch self {
        case .trace: .trace
        case .debug: .debug
        case .info: .info
        case .notice: .notice
        case .warning: .warning
        case .error: .error
        case .critical: .critical
        }
    }
}
