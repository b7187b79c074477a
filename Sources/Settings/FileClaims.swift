/// Which files a station's settings name, and whether two uses conflict: an output that wrote into the journal, its lock, the configuration
/// or another output's file, or moved it aside, would destroy it. A value: it asks `FilePlaces` for places.
package struct FileClaims: Sendable {
    package enum Use: Hashable, Sendable {
        /// The station's own: the journal. Nobody else may even open it: that would end SQLite's locks on it.
        case ownWork
        /// The configuration file itself.
        case configuration
        /// Opened to be read.
        case read
        /// A socket is made there, or a device is opened.
        case special
        /// Written; when it is full, it is moved aside to `PATH.1` … `PATH.kept`.
        case written(kept: Int)

        init(_ use: OutputFile.Use) {
            switch use {
            case .read, .secret: self = .read
            case .device, .socket: self = .special
            case .written(let kept): self = .written(kept: kept)
            }
        }
    }

    package struct Claim: Hashable, Sendable {
        /// Its key in the configuration, if it has one.
        package var key: String?
        /// For messages: `the journal's database`.
        package var what: String
        package var path: String
        package var use: Use
        /// All files whose paths begin with `path`.
        var isPrefix = false
    }

    package struct Conflict: Hashable, Sendable {
        package var key: String
        package var message: String
    }

    package let claims: [Claim]
    private let resolve: @Sendable (String) -> FilePlace

    /// `configuration`: the file that the settings are from.
    package init(_ settings: StationSettings, configuration: String?, places: FilePlaces) {
        resolve = places.resolve
        var claims: [Claim] = []
        if settings.journal.storage == .disk {
            for folder in settings.journal.folder.map({ [$0] }) ?? places.journalFolders {
                claims += FileClaims.journal(in: folder)
            }
        }
        if let configuration {
            claims.append(Claim(what: "the configuration", path: configuration, use: .configuration))
        }
        func add(_ path: String?, _ key: String, _ use: Use) {
            if let path { claims.append(Claim(key: key, what: "what \(key) names", path: path, use: use)) }
        }
        if let socket = settings.control.socket {
            add(socket, "control.socket", .special)
        } else if let socket = places.controlSocket {
            claims.append(Claim(what: "the control socket", path: socket, use: .special))
        }
        if settings.console.isEnabled { add(settings.console.socket, "console.socket", .special) }
        add(settings.host.allowList, "host.allowList", .read)
        for (index, output) in settings.outputs.enumerated() {
            let kind = output.kind.settings
            for file in kind.files {
                add(file.path, "outputs[\(index)].\(type(of: kind).key).\(file.key)", Use(file.use))
            }
        }
        self.claims = claims
    }

    private static func journal(in folder: String) -> [Claim] {
        func claim(_ name: String, _ what: String, isPrefix: Bool = false) -> Claim {
            Claim(what: what, path: "\(folder)/\(name)", use: .ownWork, isPrefix: isPrefix)
        }
        return [
            claim("journal.db", "the journal"), claim("journal.db-wal", "the journal's log"),
            claim("journal.db-shm", "the journal's index"), claim("journal.db-journal", "the journal's log"),
            claim("journal.lock", "the journal's lock"), claim("journal.ballast", "the journal's reserve"),
            claim("journal-damaged-", "a journal that was set aside", isPrefix: true),
            claim("console.yaml", "the settings that the console changed", isPrefix: true),
            claim("owed-", "the station's record of answers that are owed", isPrefix: true),
        ]
    }

    /// Conflicts between the settings' files, each at the key to change.
    package var conflicts: [Conflict] {
        let places = claims.map { resolve($0.path) }
        var conflicts: [Conflict] = []
        for (index, claim) in claims.enumerated() {
            guard let key = claim.key else { continue }
            for (earlier, other) in claims[..<index].enumerated()
            where FileClaims.exclude(claim, other) && !FileClaims.isToldElsewhere(claim, other)
                && FileClaims.meet((claim, places[index]), (other, places[earlier]))
            {
                let (place, otherPlace) = (places[index], places[earlier])
                let isKept = FileClaims.isKept(place, of: (other, otherPlace))
                let what = isKept ? "one of the names to which a full file is moved, of \(other.what)" : other.what
                let real = place.path == claim.path ? "" : " (\(claim.path) leads there)"
                conflicts.append(
                    Conflict(
                        key: key,
                        message: "\(key) is \(what), \(isKept ? place.path : otherPlace.path)\(real): name another path"
                    ))
                break
            }
        }
        return conflicts
    }

    /// Whose file `path` is, besides that of `key` itself; `nil`: nobody's. Ask again before every opening or moving: links may have been
    /// made since.
    package func owner(of path: String, besides key: String) -> String? {
        let place = resolve(path)
        let writer = Claim(key: key, what: "", path: path, use: .written(kept: 0))
        return claims.first { other in
            other.key != key && FileClaims.exclude(writer, other)
                && FileClaims.meet((writer, place), (other, resolve(other.path)))
        }?.what
    }

    /// Whether two uses of one file conflict.
    private static func exclude(_ a: Claim, _ b: Claim) -> Bool {
        switch (a.use, b.use) {
        case (.read, .read), (.read, .configuration), (.configuration, .read): false
        default: true
        }
    }

    /// If two outputs name the same path, another check reports it.
    private static func isToldElsewhere(_ a: Claim, _ b: Claim) -> Bool {
        guard a.path == b.path, a.key != nil, b.key != nil else { return false }
        return a.use != .read && b.use != .read
    }

    private static func meet(_ a: (claim: Claim, place: FilePlace), _ b: (claim: Claim, place: FilePlace)) -> Bool {
        if a.place.isSame(as: b.place) || isKept(a.place, of: b) || isKept(b.place, of: a) { return true }
        return (b.claim.isPrefix && a.place.path.hasPrefix(b.place.path))
            || (a.claim.isPrefix && b.place.path.hasPrefix(a.place.path))
    }

    /// Whether a place is one to which a file is moved aside.
    private static func isKept(_ place: FilePlace, of other: (claim: Claim, place: FilePlace)) -> Bool {
        guard case .written(let kept) = other.claim.use, place.path.hasPrefix(other.place.path + ".") else {
            return false
        }
        let suffix = place.path.dropFirst(other.place.path.count + 1)
        guard let number = Int(suffix), String(number) == suffix else { return false }
        return (1...max(1, kept)).contains(number) && kept > 0
    }
}
