import Glibc
import Linux
import Vocabulary

/// Error texts for GPIO lines: what was tried, what happened, what to do.
enum GPIOErrors {
    static let noChips =
        "this machine has no GPIO chip (no /dev/gpiochip*): enable its driver, or try the station on a desk with --simulate"

    static func text(_ errno: Int32) -> String {
        // glibc's has its own buffer for each thread since 2.32.
        SystemError(errno).text
    }

    /// What to do, as the end of a sentence; empty if there is no general advice.
    static func remedy(_ errno: Int32) -> String {
        switch errno {
        case EACCES, EPERM: ": add the user to the group gpio (`adduser USER gpio`) and log in again, or run as root"
        default: ""
        }
    }

    static func lastPart(of path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }

    static func badAddress(_ line: String, role: LineRole) -> LineError {
        LineError(
            role: role, kind: .badAddress,
            message: "\"\(line)\" names no line: set \(role.settingsKey) to a line's name (GPIO17) or to LABEL:OFFSET "
                + "(pinctrl-rp1:17); `scanstation lines` lists them")
    }

    static func chipsUnlisted(_ line: String, role: LineRole, errno: Int32) -> LineError {
        LineError(
            role: role, kind: .failed(errno: errno),
            message: "\(line) can't be looked up, the GPIO chips can't be listed: \(text(errno))\(remedy(errno))")
    }

    static func notFound(
        _ line: String, role: LineRole, chips: [GPIOChip], failures: [(chip: GPIOChip, errno: Int32)]
    ) -> LineError {
        if chips.isEmpty {
            return LineError(
                role: role, kind: .notFound, message: "\(line) (\(role.settingsKey)) isn't available: \(noChips)")
        }
        if let failure = failures.first {
            let isDenied = failure.errno == EACCES || failure.errno == EPERM
            let names = failures.map { lastPart(of: $0.chip.path) }.joined(separator: ", ")
            return LineError(
                role: role, kind: isDenied ? .permissionDenied : .failed(errno: failure.errno),
                message: "\(line) (\(role.settingsKey)) wasn't found, but \(names) can't be opened: "
                    + "\(text(failure.errno))\(remedy(failure.errno))")
        }
        let known = chips.map { "\($0.name) [\($0.label)]" }.joined(separator: ", ")
        return LineError(
            role: role, kind: .notFound,
            message: "there is no line \(line) on \(known): set \(role.settingsKey) to one that "
                + "`scanstation lines` lists")
    }

    static func taken(by holder: String?, _ place: GPIOPlace) -> LineError {
        let who = holder.map { "\"\($0)\"" } ?? "somebody who gave no name"
        return LineError(
            role: place.role, kind: .taken(by: holder),
            message: "\(place.line) is in use by \(who) (\(place.chip.name)): free it or set \(place.role.settingsKey) "
                + "to another line")
    }

    static func requestFailed(_ errno: Int32, _ place: GPIOPlace) -> LineError {
        let kind: LineError.Kind =
            switch errno {
            case EACCES, EPERM: .permissionDenied
            case EINVAL: .notFound
            case ENODEV, ENXIO: .vanished
            default: .failed(errno: errno)
            }
        let reason =
            errno == EINVAL
            ? "the chip has no such line or refuses the settings of \(place.role.settingsKey) (offset \(place.offset))"
            : text(errno) + remedy(errno)
        return LineError(
            role: place.role, kind: kind, message: "\(place.line) (\(place.chip.name)) can't be taken: \(reason)")
    }

    static func vanished(_ place: GPIOPlace) -> LineError { useFailed(ENODEV, doing: "used", place) }
    static func denied(_ place: GPIOPlace) -> LineError { requestFailed(EACCES, place) }

    static func useFailed(_ errno: Int32, doing what: String, _ place: GPIOPlace) -> LineError {
        let isGone = errno == ENODEV || errno == ENXIO
        let reason = isGone ? "its chip \(place.chip.name) is gone: is it unplugged?" : text(errno)
        return LineError(
            role: place.role, kind: isGone ? .vanished : .failed(errno: errno),
            message: "\(place.line) can't be \(what): \(reason)")
    }
}
