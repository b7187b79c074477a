import Settings
import Vocabulary

/// A command's members, with type and range checked. A member that is null counts as absent.
struct CommandFields {
    struct Problem: Error {
        var message: String
    }

    let members: [String: JSONValue]
    let command: String
    let limits: CommandLimits

    init(members: [String: JSONValue], command: String, limits: CommandLimits) {
        self.members = members.filter { $0.value != .null }
        self.command = command
        self.limits = limits
    }

    func problem(_ message: String) -> Problem { Problem(message: "\(command): \(message)") }

    /// A text that is only shown: one that is too long is cut, and a value that isn't text is shown as JSON.
    func note(_ name: String) -> String? {
        members[name].map { ($0.stringValue ?? $0.description).prefix(scalars: limits.maxTextLength) }
    }

    func text(_ name: String) throws(Problem) -> String? {
        guard let value = members[name] else { return nil }
        guard case .string(let text) = value else {
            throw problem("\"\(name)\" must be a string, not \(value.typeName)")
        }
        // A `Character` may be of any length.
        guard text.unicodeScalars.count <= limits.maxTextLength else {
            throw problem("\"\(name)\" is longer than the limit of \(limits.maxTextLength) characters")
        }
        return text
    }

    /// A text that must be there and not empty.
    func required(_ name: String) throws(Problem) -> String {
        guard let text = try text(name) else { throw problem("\"\(name)\" is missing") }
        guard !text.isEmpty else { throw problem("\"\(name)\" is empty") }
        return text
    }

    func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String, default fallback: Choice? = nil
    ) throws(Problem) -> Choice where Choice.RawValue == String {
        let choices = Choice.allCases.map(\.rawValue)
        guard let text = try text(name) else {
            if let fallback { return fallback }
            throw problem("\"\(name)\" is missing; it is one of \(choices.joined(separator: ", "))")
        }
        guard let choice = Choice(rawValue: text) else {
            let hint = Spelling.nearest(to: text, among: choices).map { ", did you mean \"\($0)\"?" } ?? "."
            throw problem("\"\(name)\" can't be \"\(text)\"\(hint) It is one of \(choices.joined(separator: ", "))")
        }
        return choice
    }

    /// The same for one that may be left out.
    func optionalChoice<Choice: RawRepresentable & CaseIterable>(
        _ name: String
    ) throws(Problem) -> Choice? where Choice.RawValue == String {
        members[name] == nil ? nil : try choice(name)
    }

    func flag(_ name: String) throws(Problem) -> Bool? {
        guard let value = members[name] else { return nil }
        guard let isTrue = value.boolValue else {
            throw problem("\"\(name)\" must be true or false, not \(value.typeName)")
        }
        return isTrue
    }

    func whole(_ name: String, in range: ClosedRange<Int>) throws(Problem) -> Int? {
        guard let value = members[name] else { return nil }
        guard let number = value.integerValue, let number = Int(exactly: number), range.contains(number) else {
            let shown = value.doubleValue == nil ? value.typeName : "\(value)"
            throw problem(
                "\"\(name)\" must be a whole number from \(range.lowerBound) to \(range.upperBound), not \(shown)")
        }
        return number
    }

    func number(_ name: String, in range: ClosedRange<Double>) throws(Problem) -> Double? {
        guard let value = members[name] else { return nil }
        guard let number = value.doubleValue else {
            throw problem("\"\(name)\" must be a number, not \(value.typeName)")
        }
        guard range.contains(number) else {
            throw problem("\"\(name)\" is \(value), but it must be from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// How long to close the relay, to the microsecond: a text such as `500ms` or `1.5 s`, or a number of milliseconds. Fails for anything
    /// outside `RelaySettings.pulses`: no unreadable value opens a door.
    ///
    /// - Parameter others: what else the field may be, for the complaint.
    func pulse(_ name: String, or others: String = "") throws(Problem) -> Duration? {
        let text: String
        switch members[name] {
        case nil: return nil
        case .string(let written): text = written
        case .integer, .number: text = "\(members[name] ?? .null)ms"
        case let other?:
            throw problem(
                "\"\(name)\" must be \(others)\(DurationText.taken(RelaySettings.pulses)), not \(other.typeName)")
        }
        guard let length = DurationText.parse(text), RelaySettings.pulses.contains(length) else {
            throw problem("\"\(name)\" \(DurationText.complaint(text, in: RelaySettings.pulses, or: others))")
        }
        return .microseconds(length.wholeNanoseconds / 1000)
    }

    /// A sequence of the journal: 0 stands for "before the first".
    func sequence(_ name: String) throws(Problem) -> UInt64? {
        guard let value = members[name] else { return nil }
        guard let number = value.integerValue, number >= 0 else {
            let shown = value.doubleValue == nil ? value.typeName : "\(value)"
            throw problem("\"\(name)\" must be the \"seq\" of a scan, or 0, not \(shown)")
        }
        return UInt64(number)
    }

    /// A frame's number.
    func frame(_ name: String) throws(Problem) -> UInt64? {
        guard let value = members[name] else { return nil }
        guard let number = value.integerValue, number >= 0 else {
            let shown = value.doubleValue == nil ? value.typeName : "\(value)"
            throw problem("\"\(name)\" must be the \"seq\" of a preview, not \(shown)")
        }
        return UInt64(number)
    }

    /// A wall time as events have it.
    func time(_ name: String) throws(Problem) -> Int64? {
        guard let text = try text(name) else { return nil }
        guard let time = WallTime.nanoseconds(rfc3339: text) else {
            throw problem("\"\(name)\" must be a time such as 2026-11-21T06:14:40.125Z, not \"\(text)\"")
        }
        return time
    }

    /// All of the numbers, or `nil` if none of them is there.
    func numbers(_ names: String..., in range: ClosedRange<Double>) throws(Problem) -> [Double]? {
        var found: [Double] = []
        var missing: [String] = []
        for name in names {
            if let number = try number(name, in: range) {
                found.append(number)
            } else {
                missing.append("\"\(name)\"")
            }
        }
        if found.isEmpty { return nil }
        guard missing.isEmpty else {
            throw problem("\(missing.joined(separator: " and ")) missing; give all of \(names.joined(separator: ", "))")
        }
        return found
    }
}
