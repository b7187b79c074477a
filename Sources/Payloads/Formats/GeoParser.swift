import Vocabulary

/// `geo:48.2010,16.3695,183;u=20?q=…`
enum GeoParser {
    static func parse(_ body: Bytes) -> GeoPayload? {
        let (place, query) = body.cut(at: UInt8(ascii: "?"))
        let pieces = place.parts(separatedBy: UInt8(ascii: ";"))
        let numbers = (pieces.first ?? []).parts(separatedBy: UInt8(ascii: ",")).map(\.trimmed)
        guard (2...3).contains(numbers.count), let latitude = numbers[0].real, let longitude = numbers[1].real,
            abs(latitude) <= 90, abs(longitude) <= 180
        else { return nil }
        var geo = GeoPayload(latitude: latitude, longitude: longitude)
        var problems = Problems()
        if numbers.count == 3 {
            geo.altitude = numbers[2].real
            if geo.altitude == nil { problems.add("the altitude isn't a number") }
        }
        for piece in pieces.dropFirst() {
            let (name, value) = piece.cut(at: UInt8(ascii: "="))
            switch name.lowercasedText {
            case "u": geo.uncertainty = value?.real.flatMap { $0 >= 0 ? $0 : nil }
            case "crs" where value?.lowercasedText != "wgs84":
                problems.add("the coordinates aren't WGS-84 but \"\(value?.text.prefix(scalars: 40) ?? "")\"")
            default: break
            }
        }
        for (name, value) in query?.queryPairs ?? [] where name == "q" && geo.query == nil {
            geo.query = value.percentDecoded(plusIsSpace: true).textOrNil
        }
        geo.problems = problems.list
        return geo
    }
}
