import Payloads
import Settings
import Vocabulary
import Wire

/// Events as a station would make them.
package enum Fixtures {
    package static let stamp = Stamp(
        wallNanoseconds: 1_795_241_680_125_000_000, isClockSynced: true, boot: "b", station: "dock-1")

    package static func scan(
        _ sequence: UInt64 = 1, text: String? = "hello", bytes: [UInt8]? = nil, symbology: Symbology = .qrCode,
        aim: String = "]Q1"
    ) -> Event {
        let point = Point(x: 0.5, y: 0.5)
        let symbol = Symbol(
            symbology: symbology, aim: aim, bytes: bytes ?? Array((text ?? "").utf8), text: text,
            corners: Quad(at: point))
        let scan = Scan(
            id: id(sequence), sequence: sequence, acceptedAt: .zero, trigger: .presentation, session: 0,
            symbol: symbol, reads: 1, frame: FrameInfo(sequence: 1, exposedAt: .zero, deliveredAt: .zero),
            decodeTime: .zero)
        return Event(stamp: stamp, body: .scan(ScanEvent(scan: scan, payload: .text)))
    }

    /// A Wi-Fi code with a password.
    package static func secretScan() -> Event {
        let code = "WIFI:T:WPA;S:shop;P:swordfish1;;"
        var event = scan(text: code)
        guard case .scan(var body) = event.body else { return event }
        body.payload = PayloadInterpreter(settings: PayloadSettings()).interpret(body.scan.symbol)
        event.body = .scan(body)
        return event
    }

    package static func id(_ sequence: UInt64) -> String { "scan-\(sequence)" }

    package static func state(_ state: String = "running", part: String = "camera") -> Event {
        Event(stamp: stamp, body: .state(StateEvent(part: part, state: state)))
    }
}
