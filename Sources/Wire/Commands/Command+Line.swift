import Vocabulary

extension Command {
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
        case .aim(let isOn): json.member("on", isOn)
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
