import Wire

/// What the panel shows, at one moment.
struct PanelModel: Hashable {
    struct Lamp: Hashable {
        var name: String
        var isOn: Bool
        var colour: Paint.Style
    }

    struct ScanLine: Hashable {
        var time: String
        var symbology: String
        var kind: String
        var text: String
    }

    /// `3 scans`, or with words in place of the number: `lit once`.
    struct Counter: Hashable {
        var before = ""
        var value: String
        var after = ""

        static func count(_ value: UInt64, _ one: String, _ many: String) -> Counter {
            Counter(value: "\(value)", after: value == 1 ? " \(one)" : " \(many)")
        }
    }

    /// What is wrong now, shown while it lasts.
    struct Trouble: Hashable {
        /// `journal`, an output's name.
        var subject: String
        var text: String
        /// The end of the text: what is in the way.
        var reason: String?
        /// Nothing works because of it; otherwise the rest goes on.
        var isGrave = false
    }

    struct Key: Hashable {
        var key: String
        var action: String
    }

    struct Notice: Hashable {
        var text: String
        var isTrouble = false
    }

    var name = ""
    var version = ""
    var camera = ""
    var isCameraRunning = false
    /// Size, rate and what is replayed.
    var cameraFigures = ""
    /// What is wrong with the camera, if something is.
    var trouble: String?
    var mode = ""
    /// What the trigger does: "session 3 is reading".
    var activity = ""
    var isReading = false
    var isPaused = false
    /// The journal takes no scans, so nothing is read.
    var isBlocked = false
    var troubles: [Trouble] = []
    /// What looks like a code and isn't read, and why.
    var unread: Trouble?
    var lamps: [Lamp] = []
    /// Newest last.
    var scans: [ScanLine] = []
    /// The newest scan has just come.
    var isNewestFresh = false
    var counters: [Counter] = []
    /// Where the console's page is, and who is watching.
    var console: String?
    /// The code that waits for a confirmation.
    var pending: String?
    /// The last is the most important.
    var keys: [Key] = []
    var notice: Notice?
}

extension PanelModel {
    /// Its address, with who is watching; without an address only while somebody is.
    /// - Parameters:
    ///   - address: with the key of a first sign-in, for this machine: it is needed as long as there is no password.
    ///   - pages: where phones find the page.
    static func console(at address: String?, inNetwork pages: [String] = [], viewers: Int) -> String? {
        let watching = viewers == 0 ? nil : viewers == 1 ? "1 person is watching" : "\(viewers) people are watching"
        let places = ([address].compactMap(\.self) + pages).map { TerminalText.escape($0) }
        let parts = places + [watching].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: "  ")
    }
}
