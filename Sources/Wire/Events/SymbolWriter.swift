import Payloads
import Settings
import Vocabulary

/// The fields of a symbol that scan events and a picture's codes have in common.
enum SymbolWriter {
    /// `symbology`, `aim`, `text`, `bytes`, `payload`, `numericOnly`, `corners`, `addOn`, `inverted`; `withheld` and `structuredAppend` if they apply.
    static func write(_ symbol: Symbol, payload: Payload, secrets: SecretPolicy, to json: inout JSONWriter) {
        let isWithheld = secrets == .withheld && payload.holdsSecret
        func member(_ field: SymbolField) {
            json.member(field.rawValue, field: symbol.value(of: field, isWithheld: isWithheld))
        }
        member(.symbology)
        member(.aim)
        json.member(SymbolField.text.rawValue, fieldOrNull: symbol.value(of: .text, isWithheld: isWithheld))
        member(.bytes)
        json.key("payload")
        json.object(payload.members(secrets: secrets))
        json.member("numericOnly", symbol.symbology.isNumericOnly)
        json.key("corners")
        json.corners(symbol.corners)
        member(.addOn)
        json.member("inverted", symbol.isInverted)
        // Else a text that is withheld would look like bytes that aren't text.
        if isWithheld { json.member("withheld", true) }
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

extension JSONWriter {
    /// `[[x,y]×4]`, clockwise from the code's own top left, four decimals (a tenth of a pixel at 1000).
    fileprivate mutating func corners(_ quad: Quad) {
        beginArray()
        for point in quad.points {
            beginArray()
            fixed(point.x, decimals: 4)
            fixed(point.y, decimals: 4)
            endArray()
        }
        endArray()
    }
}
