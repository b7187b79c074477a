import Settings
import Vocabulary

/// What a client may ask of the station, one JSON object per line: `{"command":"torch","mode":"on"}`.
package enum Command: Hashable, Sendable {
    case status
    case trigger
    case release
    case confirm
    /// A client has taken the scan with this id.
    case ack(id: String)
    /// The host accepts or refuses a scan; `nil`: it doesn't say which scan, and `OfferLedger` decides whether that can be known.
    case accept(id: String?, relay: RelayWish = .asConfigured)
    case refuse(id: String?, reason: String?)
    case torch(TorchMode)
    /// Focus at a point of the upright frame; `nil`: back to the configured focus mode, with one fresh run.
    case focus(Point?)
    case camera(id: String)
    case viewport(Viewport)
    case pause
    case resume
    /// Relay pulse; `nil`: the configured length.
    case relay(Duration?)
    /// Changes settings while running: key (as in the YAML file) to value.
    case set([String: JSONValue])
    /// The same on trial: it takes itself back unless somebody keeps it. `revision`: of the settings that the client has seen; `author`: a name
    /// for people.
    case change([String: JSONValue], revision: String, author: String?)
    /// Keeps what is on trial. `revision`: of the settings that the client means to keep.
    case keep(revision: String?)
    case takeBack
    /// Which cameras there are and what they offer, from the process that holds them.
    case cameras
    /// GPIO lines the station holds.
    case lines
    /// Which event types this connection wants; empty = all. `after`: scans of the journal from the next sequence on come first; `journal`:
    /// the id of the journal that the sequence belongs to, as the client knows it.
    /// `secrets`: what scans show of passwords; never more than the door that it came through allows.
    case subscribe(types: [String], after: UInt64? = nil, journal: String? = nil, secrets: SecretPolicy?)
    /// A console says who it is, where its page is and how many people look at it, and hears what it has to know.
    case hello(ConsoleHello)
    /// The next picture that is newer than frame `after`.
    case preview(PreviewRequest)
    /// The station shows and sounds where it is.
    case identify
    /// Scans of the journal, newest first.
    case scans(ScanQuery)
    /// One of them.
    case scan(id: String, secrets: SecretPolicy)
    /// Delivers a scan to an output once more.
    case sendAgain(id: String, output: String)
    /// A made-up scan for an output: nothing keeps it, and it moves no relay.
    case testScan(output: String)
    /// How the outputs are, and what to do about each.
    case outputs
    /// What can be checked while the station runs.
    case doctor
    /// The settings that a console may change: what each takes, is, and is for.
    case schema
    /// Frames are read for people who aim, and the buzzer follows the sharpness, or doesn't.
    case aim(AimRequest)
    /// A browser without a password asks for the way by button and QR code, or what became of that.
    case firstPassword(FirstPasswordRequest)

    /// The value of `"command"` on the wire.
    package var name: String { kind.rawValue }

    var kind: CommandKind {
        switch self {
        case .status: .status
        case .trigger: .trigger
        case .release: .release
        case .confirm: .confirm
        case .ack: .ack
        case .accept: .accept
        case .refuse: .refuse
        case .torch: .torch
        case .focus: .focus
        case .camera: .camera
        case .viewport: .viewport
        case .pause: .pause
        case .resume: .resume
        case .relay: .relay
        case .set: .set
        case .change: .change
        case .keep: .keep
        case .takeBack: .takeBack
        case .cameras: .cameras
        case .lines: .lines
        case .subscribe: .subscribe
        case .hello: .hello
        case .preview: .preview
        case .identify: .identify
        case .scans: .scans
        case .scan: .scan
        case .sendAgain: .sendAgain
        case .testScan: .testScan
        case .outputs: .outputs
        case .doctor: .doctor
        case .schema: .schema
        case .aim: .aim
        case .firstPassword: .firstPassword
        }
    }

    /// Every command's name, sorted.
    package static let names = CommandKind.allCases.map(\.rawValue).sorted()

    /// The command as one line of NDJSON, newline included; `tag` comes back in the reply.
    package func line(tag: JSONValue? = nil) -> [UInt8] {
        var json = JSONWriter(reserving: 128)
        json.beginObject()
        json.member("command", name)
        writeMembers(to: &json)
        if let tag {
            json.key("tag")
            json.value(tag)
        }
        json.endObject()
        json.newline()
        return json.bytes
    }

    private func write(_ relay: RelayWish, to json: inout JSONWriter) {
        switch relay {
        case .asConfigured: break
        case .none: json.member("relay", false)
        case .pulse(nil): json.member("relay", true)
        case .pulse(let length?): json.member("relay", fixed: length.milliseconds, decimals: 3)
        }
    }

    private func write(_ query: ScanQuery, to json: inout JSONWriter) {
        if let before = query.before {
            json.key("before")
            json.unsigned(before)
        }
        json.key("limit")
        json.integer(query.limit)
        json.member("text", query.text)
        json.member("kind", query.kind)
        json.member("symbology", query.symbology)
        json.member("from", query.from.map { WallTime.rfc3339(nanoseconds: $0) })
        json.member("to", query.to.map { WallTime.rfc3339(nanoseconds: $0) })
        json.member("receipt", query.receipt?.rawValue)
    }

    private func writeMembers(to json: inout JSONWriter) {
        switch self {
        case .status, .trigger, .release, .confirm, .pause, .resume, .cameras, .lines, .identify, .outputs, .doctor,
            .schema, .takeBack:
            break
        case .ack(let id): json.member("id", id)
        case .accept(let id, let relay):
            json.member("id", id)
            write(relay, to: &json)
        case .refuse(let id, let reason):
            json.member("id", id)
            json.member("reason", reason)
        case .torch(let mode): json.member("mode", mode.rawValue)
        case .focus(let point):
            if let point {
                json.key("x")
                json.number(point.x)
                json.key("y")
                json.number(point.y)
            }
        case .camera(let id): json.member("id", id)
        case .viewport(let viewport):
            json.key("x")
            json.number(viewport.rect.x)
            json.key("y")
            json.number(viewport.rect.y)
            json.key("width")
            json.number(viewport.rect.width)
            json.key("height")
            json.number(viewport.rect.height)
            json.member("rule", viewport.rule.rawValue)
        case .relay(let duration): json.member("durationMs", fixed: duration?.milliseconds, decimals: 3)
        case .set(let values):
            json.key("values")
            json.value(.object(values))
        case .change(let values, let revision, let author):
            json.key("values")
            json.value(.object(values))
            json.member("revision", revision)
            json.member("author", author)
        case .keep(let revision): json.member("revision", revision)
        case .subscribe(let types, let after, let journal, let secrets):
            json.key("types")
            json.value(.array(types.map(JSONValue.string)))
            if let after {
                json.key("after")
                json.unsigned(after)
            }
            json.member("journal", journal)
            json.member("secrets", secrets?.rawValue)
        case .hello(let hello):
            json.member("console", hello.version)
            for (key, number) in [("viewers", hello.viewers), ("port", hello.port)] {
                guard let number else { continue }
                json.key(key)
                json.integer(number)
            }
            if let isOnNetwork = hello.isOnNetwork { json.member("network", isOnNetwork) }
        case .scans(let query): write(query, to: &json)
        case .scan(let id, _): json.member("id", id)
        case .sendAgain(let id, let output):
            json.member("id", id)
            json.member("output", output)
        case .aim(let request):
            json.member("on", request != .off)
            if request == .look { json.member("buzzer", false) }
        case .firstPassword(let request):
            json.member("step", request.step.rawValue)
            json.member("code", request.code.digits)
            json.member("replaces", request.replaces?.digits)
            json.member("from", request.from)
        case .testScan(let output): json.member("output", output)
        case .preview(let request):
            if let after = request.after {
                json.key("after")
                json.unsigned(after)
            }
            json.key("maxWidth")
            json.integer(request.maxWidth)
        }
    }
}

/// The commands without their values: a new case of `Command` doesn't compile until it has a name and a decoder.
enum CommandKind: String, CaseIterable {
    case status, trigger, release, confirm, ack, accept, refuse, torch, focus, camera, viewport, pause, resume, relay
    case set, change, keep, takeBack, cameras, lines, subscribe, hello, preview, identify, scans, scan, sendAgain,
        testScan
    case outputs, doctor, schema, firstPassword, aim
}
