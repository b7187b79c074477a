import Settings
import Testing

@Suite("Files that a station's settings name")
struct FileClaimsTests {
    private func settings(_ change: (inout StationSettings) -> Void) -> StationSettings {
        var settings = StationSettings()
        settings.outputs = []
        settings.journal.folder = "/state"
        settings.control.socket = "/run/station.sock"
        change(&settings)
        return settings
    }

    private func file(_ path: String, kept: Int = 3, name: String = "file") -> OutputSettings {
        var file = FileSettings(path: path)
        file.rotateKeep = kept
        return OutputSettings(name: name, kind: .file(file))
    }

    private func conflicts(
        places: FilePlaces = .asWritten, _ change: (inout StationSettings) -> Void
    ) -> [String] {
        FileClaims(settings(change), configuration: "/etc/station.yaml", places: places).conflicts.map(\.message)
    }

    @Test(
        "An output can't name what is the station's",
        arguments: [
            ("/state/journal.db", "the journal"), ("/state/journal.db-wal", "the journal's log"),
            ("/state/../state//./journal.lock", "the journal's lock"),
            ("/state/journal-damaged-20261122.db", "a journal that was set aside"),
            ("/state/owed-serial", "the station's record of answers that are owed"),
            ("/etc/station.yaml", "the configuration"), ("/run/station.sock", "what control.socket names"),
            ("/etc/allowed.txt", "what host.allowList names"),
        ])
    func station(path: String, owner: String) {
        let found = conflicts {
            $0.host.allowList = "/etc/allowed.txt"
            $0.outputs = [file(path)]
        }
        // Two that name the same words are another check's.
        if path == "/run/station.sock" { return #expect(found.isEmpty) }
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix("outputs[0].file.path is \(owner), ") == true, "\(found)")
    }

    @Test("The journal's files are nobody else's, also not to be read")
    func reading() {
        #expect(conflicts { $0.host.allowList = "/state/journal.db" }.count == 1)
        #expect(
            conflicts {
                var mqtt = MQTTSettings(host: "h")
                mqtt.passwordFile = "/state/journal.lock"
                $0.outputs = [OutputSettings(name: "mqtt", kind: .mqtt(mqtt))]
            } == ["outputs[0].mqtt.passwordFile is the journal's lock, /state/journal.lock: name another path"])
        // In memory there is none.
        #expect(
            conflicts {
                $0.journal.storage = .memory
                $0.host.allowList = "/state/journal.db"
            }.isEmpty)
    }

    @Test("A place that is put aside to is as little another's as the file itself")
    func kept() {
        let found = conflicts {
            $0.outputs = [file("/x/out"), file("/x/out.3", name: "b"), file("/x/out.4", name: "c")]
        }
        #expect(
            found == [
                "outputs[1].file.path is one of the names to which a full file is moved, of what outputs[0].file.path names, "
                    + "/x/out.3: name another path"
            ])
        #expect(conflicts { $0.outputs = [file("/x/out.1"), file("/x/out", name: "b")] }.count == 1)
        #expect(conflicts { $0.outputs = [file("/x/out.1"), file("/x/out", kept: 0, name: "b")] }.isEmpty)
        #expect(conflicts { $0.outputs = [file("/x/out"), file("/x/out.01", name: "b")] }.isEmpty)
    }

    @Test("Links don't hide a file")
    func links() {
        let same = FilePlace.File(device: 1, inode: 7)
        let places = FilePlaces { path in
            switch path {
            case "/link": FilePlace(path: "/state/journal.db")
            case "/hard", "/state/journal.lock": FilePlace(path: path, file: same)
            default: .asWritten(path)
            }
        }
        #expect(
            conflicts(places: places) { $0.outputs = [file("/link")] } == [
                "outputs[0].file.path is the journal, /state/journal.db (/link leads there): name another path"
            ])
        #expect(conflicts(places: places) { $0.outputs = [file("/hard")] }.count == 1)
        let claims = FileClaims(
            settings { $0.outputs = [file("/x/out"), file("/x/other", name: "b")] }, configuration: nil, places: places)
        #expect(claims.owner(of: "/hard", besides: "outputs[0].file.path") == "the journal's lock")
        #expect(claims.owner(of: "/x/out", besides: "outputs[0].file.path") == nil)
        #expect(claims.owner(of: "/x/other", besides: "outputs[0].file.path") == "what outputs[1].file.path names")
    }

    @Test("What goes together is left alone")
    func harmless() {
        #expect(
            conflicts {
                var first = WebhookSettings(url: "http://h/")
                first.tokenFile = "/etc/token"
                var mqtt = MQTTSettings(host: "h")
                mqtt.passwordFile = "/etc/token"
                $0.outputs = [
                    OutputSettings(name: "a", kind: .webhook(first)), OutputSettings(name: "b", kind: .mqtt(mqtt)),
                    file("/state/scans.ndjson"),
                    OutputSettings(name: "c", kind: .unixSocket(.init(path: "/run/b.sock"))),
                ]
            }.isEmpty)
    }

    @Test("Where the settings name no journal and no socket, the machine's are meant")
    func defaults() {
        let places = FilePlaces(journalFolders: ["/a", "/a/simulated"], controlSocket: "/run/s.sock")
        for path in ["/a/journal.db", "/a/simulated/journal.db", "/run/s.sock"] {
            #expect(
                conflicts(places: places) {
                    $0.journal.folder = nil
                    $0.control.socket = nil
                    $0.outputs = [file(path)]
                }.count == 1)
        }
    }
}
