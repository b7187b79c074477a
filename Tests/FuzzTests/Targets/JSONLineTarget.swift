import Settings

@testable import Wire

/// A line of JSON: as a command to the station, and as what a station of any version says to the command line.
enum JSONLineTarget {
    static func check(_ input: inout FuzzInput) throws {
        let line = input.all()
        try read(line)
        try obey(line)
        try demand(Base64.decode(Base64.encode(line)) == line, "Base64 gives the bytes back")
    }

    private static func read(_ line: [UInt8]) throws {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue(parsing: line)
        } catch {
            try demand((0...line.count).contains(error.offset), "an error's place lies in the text: \(error)")
            return
        }
        let written = try Lines.demandJSON(value.bytes + [0x0A])
        try demand(written == value, "what is written is what was read: \(value)")
        let shown = HumanLine.render(value, in: { _ in 7200 })
        try Lines.demandPlain(shown)
        try demand(shown.utf8.count <= 16 * line.count + 256, "a line for people isn't longer than what it is of")
    }

    private static func obey(_ line: [UInt8]) throws {
        let limits = CommandLimits()
        switch CommandDecoder(limits: limits).decode(line) {
        case .failure(let error):
            try Lines.demandJSON(error.reply.line(tag: error.tag))
            try demand(!error.message.isEmpty, "an error says what to do")
            try demand(error.message.utf8.count <= 4096, "an error is short: \(error.message.utf8.count) bytes")
        case .success(let decoded):
            let sent = decoded.command.line(tag: decoded.tag)
            try Lines.demandJSON(sent)
            let again = CommandDecoder(limits: limits).decode(sent)
            try demand((try? again.get()) == decoded, "a command that is sent is the one that is taken: \(decoded)")
            for text in texts(of: decoded.command) {
                try demand(
                    text.utf8.count <= 4 * limits.maxTextLength, "a text is within its limit: \(text.utf8.count)")
            }
            switch decoded.command {
            case .relay(let pulse?), .accept(_, .pulse(let pulse?)):
                try demand(RelaySettings.pulses.contains(pulse), "a pulse is within its limits: \(pulse)")
            case .viewport(let viewport):
                let rect = viewport.rect
                try demand(
                    rect.x >= 0 && rect.y >= 0 && rect.width > 0 && rect.height > 0 && rect.right <= 1.000001
                        && rect.bottom <= 1.000001, "a viewport lies in the frame: \(rect)")
            case .focus(let point?):
                try demand((0...1).contains(point.x) && (0...1).contains(point.y), "a point lies in the frame")
            default: break
            }
        }
    }

    private static func texts(of command: Command) -> [String] {
        switch command {
        case .ack(let id), .camera(let id): [id]
        case .accept(let id, _): [id].compactMap(\.self)
        case .refuse(let id, let reason): [id, reason].compactMap(\.self)
        case .subscribe(let types, _, let journal, _): types + [journal].compactMap(\.self)
        case .scan(let id, _), .testScan(let id): [id]
        case .sendAgain(let id, let output): [id, output]
        case .scans(let query): [query.text, query.kind, query.symbology].compactMap(\.self)
        case .change(_, let revision, let author): [revision, author].compactMap(\.self)
        case .keep(let revision): [revision].compactMap(\.self)
        case .hello(let hello): [hello.version].compactMap(\.self)
        default: []
        }
    }
}
