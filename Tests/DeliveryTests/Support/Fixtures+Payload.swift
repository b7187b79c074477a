import ControlSupport
import Foundation
import Payloads
import Vocabulary
import Wire

extension Fixtures {
    /// A scan whose payload is what the station would make of it.
    static func interpreted(
        _ text: String?, bytes: [UInt8]? = nil, symbology: Symbology = .qrCode, aim: String = "]Q1"
    ) -> Event {
        var event = scan(text: text, bytes: bytes, symbology: symbology, aim: aim)
        guard case .scan(var body) = event.body else { return event }
        body.payload = PayloadInterpreter().interpret(body.scan.symbol)
        event.body = .scan(body)
        return event
    }

    /// The wire format's.
    static func schema() throws -> JSONValue {
        let file = root.appending(path: "Sources/Wire/Schema/scanstation-v1.schema.json")
        return try JSONValue(parsing: Array(Data(contentsOf: file)))
    }

    /// The package's folder.
    static var root: URL {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
    }
}
