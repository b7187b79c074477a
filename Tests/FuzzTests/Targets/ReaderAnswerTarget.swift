import Payloads
import ReaderProtocol
import ScanCore
import Settings
import Vocabulary
import Wire

@testable import Reading

/// What a reader process sends that was taken over: packets, each behind its length in two bytes, and what the station does with
/// what it lets in.
enum ReaderAnswerTarget {
    private static let ticket: UInt64 = 1

    static func check(_ input: inout FuzzInput) throws {
        var assembler = AnswerAssembler()
        assembler.expect(ticket: ticket)
        var station = StationOfFrames()
        while !input.isAtEnd {
            let count = Int(input.byte()) | Int(input.byte()) << 8
            let packet = input.take(count)
            guard let answer = packet.withUnsafeBytes({ ReaderAnswer($0) }) else { continue }
            // Of another protocol's reader only the version is known.
            if case .ready(let build, _) = answer, build.protocolVersion != ReaderLimits.protocolVersion { continue }
            try demand(answer.encode() == packet, "what is let in is what a reader would send: \(answer)")
            if case .capability(let capability) = answer {
                try Lines.demandPlain(capability.library)
                try Lines.demandPlain(capability.version)
            }
            switch assembler.take(answer) {
            case .complete(let symbols, let summary):
                try demand(symbols.count == summary.symbolCount, "as many symbols as were told")
                try demand(symbols.count <= ReaderLimits.maxSymbolsPerFrame, "no more symbols than the limit")
                try station.take(symbols, summary)
                assembler.expect(ticket: ticket)
            case .refused(let reason):
                try demand(reason.utf8.count <= ReaderLimits.maxMessageBytes, "a refusal is short")
                try Lines.demandPlain(reason)
                assembler.expect(ticket: ticket)
            case .damaged(let damage): try Lines.demandPlain(damage)
            case .opened(let size): try demand(size.isReadable, "a picture that was opened has a size")
            case .pass(let number):
                try demand((0...ReaderLimits.maxPasses).contains(number), "a pass has a number within the limit")
            case .incomplete, .garbage: break
            }
            try demand(assembler.standing.count <= ReaderLimits.maxSymbolsPerFrame, "no more standing symbols either")
        }
    }
}

/// The way of a frame's symbols through the station: followed, accepted, interpreted, written.
private struct StationOfFrames {
    private struct Code: Hashable {
        var symbology: Symbology
        var bytes: [UInt8]
    }

    /// Scans of one input that are written: each takes its time.
    private static let maxWritten = 8

    private var machine = ScanMachine(trigger: TriggerSettings())
    private var sequence: UInt64 = 0
    private var shown: Set<Code> = []
    private var written = 0

    init() { _ = machine.handle(.start, at: .zero) }

    mutating func take(_ symbols: [Symbol], _ summary: ReaderAnswer.Summary) throws {
        sequence += 1
        let now = Instant(nanoseconds: Int64(sequence) * 33_000_000)
        for symbol in symbols {
            for point in symbol.corners.points {
                try demand(
                    ReaderLimits.cornerRange.contains(point.x) && ReaderLimits.cornerRange.contains(point.y),
                    "corners lie about the view: \(point)")
            }
            shown.insert(Code(symbology: symbol.symbology, bytes: symbol.bytes))
        }
        let frame = FrameInfo(sequence: sequence, exposedAt: now, deliveredAt: now)
        let result = ReadResult(
            frame: frame, outcome: .decoded, symbols: symbols, places: summary.places, refuted: summary.refuted,
            decodeTime: .nanoseconds(Int64(clamping: summary.decodeNanoseconds)))
        for case .accept(let sighting) in machine.handle(.read(result), at: now) {
            let symbol = sighting.symbol
            try demand(
                shown.contains(Code(symbology: symbol.symbology, bytes: symbol.bytes)),
                "only what a reader has seen becomes a scan")
            guard written < Self.maxWritten else { continue }
            written += 1
            try Self.write(symbol)
        }
    }

    private static func write(_ symbol: Symbol) throws {
        let event = Scans.event(symbol, PayloadInterpreter().interpret(symbol))
        let line = event.line(secrets: .asConfigured)
        let json = try Lines.demandJSON(line)
        try demand(json["bytes"]?.stringValue == Base64.encode(symbol.bytes), "a scan's line has the code's bytes")
        try Lines.demandPlain(HumanLine.render(json, in: { _ in 0 }))
        let again = try ScanEventReader().read(line)
        try demand(again.line(secrets: .asConfigured) == line, "a scan that was kept is read as the one it was")
    }
}
