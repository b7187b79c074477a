import Control
import Linux
import Logging
import Settings
import Vocabulary
import Wire

/// What the station does for its console: the socket, the picture, who is watching.
extension Station {
    /// How often a socket that couldn't be made is tried again.
    static let consoleRetry: Duration = .seconds(5)

    /// A console is a convenience: what keeps its socket from being made is told, and the station goes on and tries again.
    func serveConsole() async {
        guard let console = parts.console, let problem = await tryToServe(console, told: nil) else { return }
        retryConsole(console, told: problem)
    }

    private func retryConsole(_ console: ControlServer, told: String) {
        listeners.append(
            Task { [weak self] in
                var told: String? = told
                while told != nil {
                    do { try await Task.sleep(for: Self.consoleRetry) } catch { return }
                    guard let self, await !self.isStopping else { return }
                    told = await self.tryToServe(console, told: told)
                }
            })
    }

    /// Returns what is in the way; `nil`: it is served.
    private func tryToServe(_ console: ControlServer, told: String?) async -> String? {
        do throws(ControlError) {
            try await console.start()
            if told != nil { note(.notice, kind: "console", "its socket \(console.path) is there now") }
            return nil
        } catch {
            if told != error.message { complain("console", "socket", error.message, .warning) }
            return error.message
        }
    }

    func handle(console notice: ControlNotice) {
        if case .disconnected(let client) = notice, desk.consoles.count > 0 {
            desk.consoles.left(client.number)
            tellViewers()
        }
        let (level, text) = notice.logLine
        note(level, kind: "console", text)
    }

    /// `hello`: what a console must know of the station.
    func hello(_ said: ConsoleHello, from client: ClientID?) -> [String: JSONValue] {
        if let client, client.door == StationParts.consoleDoor {
            desk.consoles.hello(said, from: client.number)
            tellViewers()
        }
        let console = settings.console
        let address: JSONValue =
            switch console.address {
            case .automatic: .null
            case .local: "local"
            case .network: "network"
            case .literal(let text): .string(text)
            }
        return [
            "hello": .object([
                "station": .string(name), "version": .string(options.version), "address": address,
                "port": .integer(Int64(console.port)), "names": .array(console.names.map(JSONValue.string)),
                "door": .bool(console.door), "hasTriggerButton": .bool(settings.trigger.button != nil),
                "firstPassword": .object([
                    "open": .bool(firstPasswordBar == nil), "why": firstPasswordBar.map { .string($0) } ?? .null,
                    // A panel's button is on a desk, where nobody expects the page to be in the network.
                    "network": .bool(options.panel == nil),
                ]),
            ])
        ]
    }

    /// How many people look at the station now.
    package var viewers: Int { desk.consoles.viewers }

    private func tellViewers() {
        guard let viewers = desk.consoles.news() else { return }
        publish(
            .state(
                StateEvent(
                    part: "console", state: viewers == 0 ? "alone" : "watched",
                    fields: ["viewers": .integer(Int64(viewers))])),
            toOutputs: false)
    }

    var consoleStatus: JSONValue {
        guard let console = parts.console else { return .object(["enabled": false]) }
        return .object([
            "enabled": true, "socket": .string(console.path), "door": .bool(settings.console.door),
            "consoles": .integer(Int64(desk.consoles.count)), "viewers": .integer(Int64(desk.consoles.viewers)),
            "versions": .array(desk.consoles.versions.map(JSONValue.string)),
            "addresses": .array(
                desk.consoles.pages.flatMap { MachineNames.pages(port: $0.port, isOnNetwork: $0.isOnNetwork) }
                    .map(JSONValue.string)),
        ])
    }

    // MARK: The picture

    /// The next picture, with what was read in it. Waits up to a second, without holding up anything else.
    func preview(_ request: PreviewRequest, secrets: SecretPolicy) async -> PreviewReply {
        counters.commands += 1
        do {
            if isStopping { throw CommandRefusal("the station is stopping") }
            guard let preview = try await parts.reader.preview(after: request.after, maxWidth: request.maxWidth) else {
                let fields: [String: JSONValue] = ["preview": .null, "camera": .string(readiness.camera.name)]
                return PreviewReply(Reply(command: "preview", fields: fields))
            }
            let codes = preview.symbols.filter { !$0.isForFirstPassword }.map { code(of: $0, secrets) }
            let form = PreviewForm(preview: preview, codes: codes, unread: unread.told)
            return PreviewReply(Reply(command: "preview", fields: ["preview": form.json]), pixels: preview.pixels)
        } catch {
            counters.commandErrors += 1
            return PreviewReply(Reply(command: "preview", error: "\(error)"))
        }
    }

    private func code(of symbol: Symbol, _ secrets: SecretPolicy) -> PreviewForm.Code {
        let waiting = machine.waitingSymbol
        return PreviewForm.Code(
            symbol: symbol,
            isWithheld: secrets == .withheld && parts.interpreter.interpret(symbol).holdsSecret,
            scan: host.latest(of: symbol)?.scan.id,
            waits: waiting?.symbology == symbol.symbology && waiting?.bytes == symbol.bytes)
    }
}
