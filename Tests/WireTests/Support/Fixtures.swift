import Glibc
import Payloads
import Vocabulary

@testable import Wire

/// 2026-11-21T06:14:40.125Z.
let stamp = Stamp(
    wallNanoseconds: 1_795_241_680_125_999_999, isClockSynced: true, boot: "5c0f6d1e-boot", station: "dock-1")

func scanEvent(
    _ text: String = "https://example.com/", payload: Payload? = nil, symbology: Symbology = .qrCode,
    change: (inout Scan) -> Void = { _ in }
) -> Event {
    let corners = Quad(
        Point(x: 0.25, y: 0.125), Point(x: 1.0 / 3, y: 0.12345), Point(x: 0.5, y: 1), Point(x: 0, y: 0.99999))
    let symbol = Symbol(symbology: symbology, aim: "]Q1", bytes: Array(text.utf8), text: text, corners: corners)
    let frame = FrameInfo(
        sequence: 900, exposedAt: Instant(nanoseconds: 2_000_000_000_000),
        deliveredAt: Instant(nanoseconds: 2_000_020_000_000))
    var scan = Scan(
        id: "019aa4e7-0000-7000-8000-000000000001", sequence: 42, acceptedAt: Instant(nanoseconds: 2_000_033_250_000),
        trigger: .pulse, session: 7, symbol: symbol, reads: 2, frame: frame, decodeTime: .microseconds(3100))
    change(&scan)
    let meaning = payload ?? PayloadInterpreter().interpret(scan.symbol)
    return Event(stamp: stamp, body: .scan(ScanEvent(scan: scan, payload: meaning, journal: "j-1")))
}

/// A line without its newline, parsed; fails the calling test if it isn't exactly one line of JSON.
func parsed(_ line: [UInt8]) throws -> JSONValue {
    struct NotOneLine: Error {}
    guard line.last == 0x0A, !line.dropLast().contains(0x0A) else { throw NotOneLine() }
    return try JSONValue(parsing: line)
}

func text(_ line: [UInt8]) -> String { String(decoding: line, as: UTF8.self) }

/// The schema of the source tree, found from this file.
func loadSchema() throws -> JSONValue {
    struct NoSchema: Error {}
    let folder = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4).joined(separator: "/")
    guard let file = fopen(folder + "/Sources/Wire/Schema/scanstation-v1.schema.json", "r") else { throw NoSchema() }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
    return try JSONValue(parsing: bytes)
}
