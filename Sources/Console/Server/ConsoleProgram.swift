import ConsoleAccess
import Glibc
import Linux
import Synchronization
import Vocabulary
import Wire

/// The console as a program: puts its parts together, listens where it may, and ends when it is told to.
package enum ConsoleProgram {
    /// EX_USAGE, EX_UNAVAILABLE, EX_CANTCREAT.
    private static let (usage, unavailable, cannotCreate): (Int32, Int32, Int32) = (64, 69, 73)
    /// How long the station's word on address and port is waited for.
    private static let patience: Duration = .seconds(2)
    private static let beat: Duration = .seconds(15)
    /// How often the password's file is looked at.
    private static let glance: Duration = .seconds(3)

    package static func run(arguments: [String], version: String) async -> Int32 {
        switch ConsoleOptions.parse(arguments, version: version) {
        case .say(let text):
            write(text, to: STDOUT_FILENO)
            return 0
        case .wrong(let problem):
            complain(problem)
            return usage
        case .run(let options): return await run(options, version)
        }
    }

    private static func run(_ options: ConsoleOptions, _ version: String) async -> Int32 {
        signal(SIGPIPE, SIG_IGN)
        // Each try of a password takes 16 MiB.
        Heap.keepLittle(piecesFrom: 1 << 20)
        let ends = EndOfProcess(withParent: options.endsWithParent)
        guard let folder = options.state.map(ConsoleFolder.init) ?? ConsoleFolder.standard() else {
            complain("there is no home for the console's state: name a folder with --state")
            return cannotCreate
        }
        do { try folder.make() } catch {
            complain(error.description)
            return cannotCreate
        }
        let web = options.web ?? PageFiles.standardFolder()
        if web == nil { complain("its pages are nowhere: name their folder with --web; the API works without them") }

        let (changes, change) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let previews = Mutex<PreviewDesk?>(nil)
        let station = StationDesk(path: options.socket ?? standardSocket(), version: version) { news in
            switch news {
            case .away: if let previews = previews.withLock(\.self) { Task { await previews.forget() } }
            case .back: change.yield()
            case .event: break
            }
        }
        previews.withLock { $0 = station.previews }
        let gatekeeper = Gatekeeper(folder)
        let api = ConsoleAPI(
            version: version, gatekeeper: gatekeeper, station: station, pages: PageFiles(folder: web),
            passwordWasSet: { change.yield() })
        let listener = ConsoleListener(api: api)
        await station.start()
        _ = await station.withheld.link.hello(within: patience)

        do throws(ConsoleListener.Failure) {
            try await adjust(listener, api, gatekeeper, station, options, folder)
        } catch {
            complain(error.description)
            return unavailable
        }
        await tellAddress(listener, gatekeeper)
        ServiceManager.tell("READY=1")

        let following = Task {
            for await _ in changes {
                do throws(ConsoleListener.Failure) {
                    try await adjust(listener, api, gatekeeper, station, options, folder)
                } catch { complain(error.description) }
            }
        }
        let beating = Task {
            while !Task.isCancelled {
                try? await Task.sleep(for: beat)
                station.beat()
            }
        }
        let glancing = Task {
            while !Task.isCancelled {
                // A password that was set on the command line, or taken away.
                if await gatekeeper.noticePassword() {
                    await station.endStreams { if case .session = $0 { true } else { false } }
                    change.yield()
                }
                try? await Task.sleep(for: glance)
            }
        }
        await ends.wait()
        ServiceManager.tell("STOPPING=1")
        following.cancel()
        beating.cancel()
        glancing.cancel()
        ConsolePlace.clear(in: folder)
        await station.stop()
        return 0
    }

    /// Names and place, by what the station and the password's file say now.
    private static func adjust(
        _ listener: ConsoleListener, _ api: ConsoleAPI, _ gatekeeper: Gatekeeper, _ station: StationDesk,
        _ options: ConsoleOptions, _ folder: ConsoleFolder
    ) async throws(ConsoleListener.Failure) {
        var hello = StationHello()
        var isAway = true
        if case .here(let told) = await station.withheld.link.current { (hello, isAway) = (told, false) }
        let isPasswordSet = await gatekeeper.isPasswordSet
        api.setHosts(
            HostRule(ownNames: [MachineNames.fullHost] + (hello.station.map { [$0] } ?? []), names: hello.names))
        let plan = ListenPlan(
            option: options.address, optionPort: options.port, station: hello.address, stationPort: hello.port,
            isPasswordSet: isPasswordSet,
            isForFirstPassword: hello.firstPassword.map { $0.isOpen && $0.isForNetwork } ?? false)
        // While the station is away it says nothing of its place: what it said before stays.
        if isAway, let before = await listener.current, before.isPasswordSet == isPasswordSet { return }
        try await listener.listen(plan, mayMove: options.port == nil)
        let place = ConsolePlace(port: await listener.port, isOnNetwork: !plan.isLocal)
        do throws(AccessError) { try place.leave(in: folder) } catch { complain(error.description) }
        await station.setPage(StationDesk.Page(port: place.port, isOnNetwork: place.isOnNetwork))
    }

    /// One line of JSON for the person who started the program. Under a service manager, it goes to a log that others may read: without a
    /// key.
    private static func tellAddress(_ listener: ConsoleListener, _ gatekeeper: Gatekeeper) async {
        var address = "http://\(await listener.current?.ownHost ?? "127.0.0.1"):\(await listener.port)/"
        if Environment.value("NOTIFY_SOCKET") == nil {
            do { address += "#key=" + (try await gatekeeper.makeLink(lifetime: nil)) } catch { complain("\(error)") }
        }
        write(JSONValue.object(["address": .string(address)]).description + "\n", to: STDOUT_FILENO)
    }

    private static func standardSocket() -> String {
        let service = "/run/scanstation/console/console.sock"
        if geteuid() == 0 || !Files.isMissing(service) { return service }
        if let folder = Environment.value("XDG_RUNTIME_DIR") { return "\(folder)/console/console.sock" }
        return "/tmp/scanstation-\(geteuid())/console/console.sock"
    }

    private static func complain(_ text: String) { write("scanstation-console: \(text)\n", to: STDERR_FILENO) }

    private static func write(_ text: String, to descriptor: Int32) {
        let bytes = Array(text.utf8)
        _ = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    }
}
