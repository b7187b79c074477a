import Settings
import Vocabulary
import Yams

/// Settings that were changed over the console and kept: they lie over the configuration file, which nobody but its owner writes.
///
/// Only keys that may change while the station runs, so that no overlay can keep a station from starting.
package struct SettingsOverlay: Hashable, Sendable {
    /// Who changed what.
    package struct Change: Hashable, Sendable {
        /// Why a change that nobody kept went back by itself.
        package enum Fall: String, Hashable, Sendable {
            /// Its time was up.
            case timeout
            /// The station ended meanwhile.
            case ended
        }

        /// UTC, as in events.
        package var time: String
        /// A name for people; untrusted text.
        package var author: String
        package var key: String
        /// Values as in the configuration file.
        package var from: String
        package var to: String
        /// `nil`: it was kept.
        package var fall: Fall?

        package init(time: String, author: String, key: String, from: String, to: String, fall: Fall? = nil) {
            (self.time, self.author, self.key, self.from, self.to, self.fall) = (time, author, key, from, to, fall)
        }
    }

    /// A change that is on trial, or was when the station ended. Its values never take effect from the file: a station that ends
    /// meanwhile comes back with what was kept.
    package struct Pending: Hashable, Sendable {
        package var time: String
        package var author: String
        package var values: [String: String]

        package init(time: String, author: String, values: [String: String]) {
            (self.time, self.author, self.values) = (time, String(author.prefix(SettingsOverlay.maxAuthor)), values)
        }
    }

    /// How many of the log's changes are kept, the newest; older ones are dropped.
    package static let maxChanges = 200
    /// Characters of a name in the log.
    package static let maxAuthor = 80

    /// By key path, values as in the configuration file: `"trigger.timeout": "5s"`.
    package var values: [String: String] = [:]
    /// Oldest first.
    package private(set) var changes: [Change] = []
    package var pending: Pending?

    package init() {}

    /// With these values kept, too, and nothing on trial.
    /// - Parameter before: what the keys were.
    package func keeping(
        _ new: [String: String], before: [String: String], author: String, time: String
    ) -> SettingsOverlay {
        var copy = self
        copy.pending = nil
        copy.values.merge(new) { _, new in new }
        copy.log(new, author: author, time: time) { key, value in
            // What runs already, by a command, and is only kept now, has no other value before it than the one kept last.
            before[key] == value ? values[key] : before[key]
        }
        return copy
    }

    /// With a note in the log of changes that nobody kept these values; nothing else changes.
    /// - Parameter before: what the keys were, and are again.
    package func noting(
        _ values: [String: String], before: [String: String], author: String, time: String, fall: Change.Fall
    ) -> SettingsOverlay {
        var copy = self
        copy.log(values, author: author, time: time, fall: fall) { key, _ in before[key] }
        return copy
    }

    /// Adds a line a key to the log of changes, which keeps the newest.
    private mutating func log(
        _ values: [String: String], author: String, time: String, fall: Change.Fall? = nil,
        from: (_ key: String, _ value: String) -> String?
    ) {
        for (key, value) in values.sorted(by: { $0.key < $1.key }) {
            let change = Change(
                time: time, author: String(author.prefix(Self.maxAuthor)), key: key, from: from(key, value) ?? "",
                to: value, fall: fall)
            changes.append(change)
        }
        changes.removeFirst(max(0, changes.count - Self.maxChanges))
    }

    /// The settings with the overlay over them. A key that can't be changed any more, or whose value no longer fits the configuration file,
    /// is left out, and said.
    /// - Parameter keys: those that an overlay may have; `nil`: all that may change while the station runs.
    package func laid(
        over settings: StationSettings, keys: Set<String>? = nil
    ) -> (settings: StationSettings, leftOut: [SettingProblem]) {
        let values = values.filter { keys?.contains($0.key) != false }
        let others = self.values.keys.filter { keys?.contains($0) == false }.sorted().map { key in
            SettingProblem(
                .warning, path: key, message: "\(key.quoted) is left out: the console may not set it")
        }
        if let all = try? RuntimeSettings.apply(values, to: settings) { return (all, others) }
        var result = settings
        var leftOut = others
        for (key, value) in values.sorted(by: { $0.key < $1.key }) {
            do throws(RuntimeSettingError) {
                result = try RuntimeSettings.apply(key: key, value: value, to: result)
            } catch {
                let message = "\(key): \(value.quoted) is left out: \(error.message)"
                leftOut.append(SettingProblem(.warning, path: key, message: message))
            }
        }
        return (result, leftOut)
    }

    // MARK: As a file

    /// Longest file that is read.
    static let maxBytes = 256 << 10

    private static let heading = """
        # Settings that were changed over the console. They lie over the configuration file. Written by the station. To be rid of
        # them, delete this file and reload or restart the station.

        """

    package var text: String {
        var lines = [values.isEmpty ? "values: {}" : "values:"]
        lines += Self.lines(of: values, indent: "  ")
        if let pending {
            lines.append("# On trial: gone at the next start, unless somebody keeps it before.")
            lines.append("pending:")
            lines.append("  time: \(YAMLText.string(pending.time))")
            lines.append("  by: \(YAMLText.string(pending.author))")
            lines.append(pending.values.isEmpty ? "  values: {}" : "  values:")
            lines += Self.lines(of: pending.values, indent: "    ")
        }
        lines.append(changes.isEmpty ? "changes: []" : "changes:")
        for change in changes {
            var fields = [
                ("time", change.time), ("by", change.author), ("key", change.key), ("from", change.from),
                ("to", change.to),
            ]
            if let fall = change.fall { fields.append(("back", fall.rawValue)) }
            lines.append("  - " + YAMLText.mapping(fields.map { ($0.0, YAMLText.string($0.1)) }))
        }
        return Self.heading + lines.joined(separator: "\n") + "\n"
    }

    private static func lines(of values: [String: String], indent: String) -> [String] {
        values.sorted { $0.key < $1.key }.map { "\(indent)\($0.key): \(YAMLText.string($0.value))" }
    }

    /// - Throws: why it isn't an overlay.
    package init(text: String) throws(SettingsOverlayError) {
        guard text.utf8.count <= Self.maxBytes else { throw SettingsOverlayError.tooLong }
        var findings = Findings(file: nil)
        guard let root = YAMLDocument(text, &findings).root?.mapping, findings.problems.isEmpty else {
            throw SettingsOverlayError(findings.sorted(.error).first?.message ?? "it isn't a mapping")
        }
        values = try Self.values(root["values"], "values")
        if let pending = root["pending"]?.mapping {
            self.pending = Pending(
                time: pending["time"]?.scalar?.string ?? "", author: pending["by"]?.scalar?.string ?? "",
                values: try Self.values(pending["values"], "pending.values"))
        }
        for item in root["changes"]?.sequence ?? [] {
            func field(_ name: String) -> String { item.mapping?[Node(name)]?.scalar?.string ?? "" }
            changes.append(
                Change(
                    time: field("time"), author: field("by"), key: field("key"), from: field("from"), to: field("to"),
                    fall: Change.Fall(rawValue: field("back"))))
        }
        changes.removeFirst(max(0, changes.count - Self.maxChanges))
    }

    private static func values(_ node: Node?, _ name: String) throws(SettingsOverlayError) -> [String: String] {
        guard let mapping = node?.mapping else { throw SettingsOverlayError("it has no \(name)") }
        var values: [String: String] = [:]
        for (key, value) in mapping {
            guard let key = key.scalar?.string, let value = value.scalar?.string else {
                throw SettingsOverlayError("\(name): each is a key and a text")
            }
            values[key] = value
        }
        return values
    }
}

/// Why a text isn't an overlay, or why its file can't be read or written.
package struct SettingsOverlayError: Error, Hashable, Sendable, CustomStringConvertible {
    package var message: String

    package init(_ message: String) { self.message = message.asOneLine }

    static let tooLong = SettingsOverlayError(
        "longer than \(ByteCount.text(SettingsOverlay.maxBytes)), which is the limit")

    package var description: String { message }
}
