import Payloads
import Settings
import Vocabulary

/// What a scan event and a picture's codes say alike of one symbol.
enum SymbolWriter {
    /// `symbology`, `aim`, `text`, `bytes`, `payload`, `numericOnly`, `corners`, `addOn`, `inverted`, `structuredAppend`.
    static func write(_ symbol: Symbol, payload: Payload, secrets: SecretPolicy, to json: inout JSONWriter) {
        let isWithheld = secrets == .withheld && payload.holdsSecret
        json.member("symbology", symbol.symbology.rawValue)
        json.member("aim", symbol.aim)
        json.member("text", orNull: isWithheld ? nil : symbol.text)
        json.key("bytes")
        json.base64(isWithheld ? [] : symbol.bytes)
        json.key("payload")
        json.object(payload.members(secrets: secrets))
        json.member("numericOnly", symbol.symbology.isNumericOnly)
        json.key("corners")
        json.corners(symbol.corners)
        json.member("addOn", symbol.addOn)
        json.member("inverted", symbol.isInverted)
        guard let place = symbol.structuredAppend else { return }
        json.key("structuredAppend")
        json.beginObject()
        json.key("index")
        json.integer(place.index)
        json.key("count")
        json.integer(place.count)
        json.member("id", place.id)
        json.endObject()
    }
}
