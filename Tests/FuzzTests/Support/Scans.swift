import Payloads
import Vocabulary
import Wire

/// Events as a station makes them of a symbol.
enum Scans {
    static let stamp = Stamp(
        wallNanoseconds: 1_795_241_680_125_000_000, isClockSynced: true, boot: "b", station: "dock-1")

    static func event(_ symbol: Symbol, _ payload: Payload) -> Event {
        let scan = Scan(
            id: "scan-7", sequence: 7, acceptedAt: Instant(nanoseconds: 12_000_000), trigger: .presentation, session: 0,
            symbol: symbol, reads: 1,
            frame: FrameInfo(
                sequence: 3, exposedAt: Instant(nanoseconds: 8_000_000),
                deliveredAt: Instant(nanoseconds: 9_000_000)), decodeTime: .milliseconds(2))
        return Event(stamp: stamp, body: .scan(ScanEvent(scan: scan, payload: payload, journal: "j")))
    }

    static let corners = Quad(
        Point(x: 0.25, y: 0.25), Point(x: 0.75, y: 0.25), Point(x: 0.75, y: 0.75), Point(x: 0.25, y: 0.75))

    /// A symbol as decoders make them: text where the bytes are UTF-8; else none, or a repaired one.
    static func symbol(
        _ bytes: [UInt8], _ symbology: Symbology, aim: String = "", addOn: String? = nil, repairsText: Bool = false
    ) -> Symbol {
        let text = String(validating: bytes, as: UTF8.self)
        return Symbol(
            symbology: symbology, aim: aim, bytes: bytes,
            text: text ?? (repairsText ? String(decoding: bytes, as: UTF8.self) : nil), corners: corners, addOn: addOn)
    }
}

extension Scans {
    /// Whether two events differ only by what a line doesn't say: figures beyond its decimals.
    static func isRounded(_ a: Event, _ b: Event) -> Bool {
        guard case .scan(let a) = a.body, case .scan(let b) = b.body else { return false }
        let (first, second) = (a.scan, b.scan)
        return first.id == second.id && first.sequence == second.sequence && first.symbol.bytes == second.symbol.bytes
            && first.symbol.text == second.symbol.text && first.symbol.symbology == second.symbol.symbology
            && a.payload == b.payload && a.journal == b.journal
    }
}
