import Vocabulary

/// EAN, UPC and ITF-14 codes as GTINs.
enum ProductReader {
    /// `nil` for other symbologies and for data that can't be a number of the symbology.
    static func read(_ symbol: Symbol) -> ProductPayload? {
        let digits = symbol.bytes[...]
        guard digits.count <= 14, digits.allSatisfy(\.isDigit), let number = number(digits, symbol.symbology) else {
            return nil
        }
        let zeros = Bytes(repeating: UInt8(ascii: "0"), count: 14 - number.count)
        var product = ProductPayload(gtin: (zeros + number).text, number: number.text)
        var problems = Problems()
        product.isCheckDigitRight = CheckDigit.isValidGS1Mod10(number)
        if !product.isCheckDigitRight {
            problems.add(
                "the check digit is \(number.suffix(1).text), it should be \(number.dropLast().gs1CheckDigit)")
        }
        product.isRestricted = isRestricted(number)
        if number.count == 13, product.isCheckDigitRight { readBookNumbers(number, into: &product) }
        if let addOn = symbol.addOn { readAddOn(addOn, into: &product, &problems) }
        product.problems = problems.list
        return product
    }

    /// The number in its own length. UPC codes may come as EAN-13 with a leading zero (AIM transmits them like this), and UPC-E may come
    /// already expanded.
    private static func number(_ digits: Bytes, _ symbology: Symbology) -> Bytes? {
        switch (symbology, digits.count) {
        case (.ean13, 13), (.ean8, 8), (.upcA, 12), (.upcE, 12), (.itf14, 14): digits
        case (.ean13, 12): [UInt8(ascii: "0")] + digits
        case (.upcA, 13), (.upcE, 13): digits.first == UInt8(ascii: "0") ? digits.dropFirst() : nil
        case (.upcE, 6...7): UPCE.completed(digits).map { $0[...] }
        case (.upcE, 8): UPCE.expanded(digits).map { $0[...] }
        default: nil
        }
    }

    /// GS1 prefixes for restricted circulation (General Specifications, 1.4.3): 02, 04 and 2 in 13 digits, 0 and 2 in 8.
    private static func isRestricted(_ number: Bytes) -> Bool {
        if number.count == 8 { return [UInt8(ascii: "0"), UInt8(ascii: "2")].contains(number.first) }
        // UPC-A (12 digits) has no leading zero yet, ITF-14 one digit too many in front.
        let zero: Bytes = [UInt8(ascii: "0")]
        let thirteen = number.count == 12 ? zero + number : number.suffix(13)
        return ["02", "04", "2"].contains { thirteen.after($0) != nil }
    }

    private static func readBookNumbers(_ number: Bytes, into product: inout ProductPayload) {
        if number.after("9790") != nil {
            product.ismn = number.text
        } else if number.after("978") != nil {
            let core = number.dropFirst(3).prefix(9)
            product.isbn = number.text
            product.isbn10 = core.text + String(CheckCharacters.mod11(of: core))
        } else if number.after("979") != nil {
            product.isbn = number.text
        } else if number.after("977") != nil {
            // Then come two digits for variants, and the EAN's own check digit instead of the ISSN's.
            let core = number.dropFirst(3).prefix(7)
            product.issn = core.prefix(4).text + "-" + core.suffix(3).text + String(CheckCharacters.mod11(of: core))
        }
    }

    private static func readAddOn(_ text: String, into product: inout ProductPayload, _ problems: inout Problems) {
        let digits = Bytes(text)
        guard digits.allSatisfy(\.isDigit), digits.count == 2 || digits.count == 5 else {
            problems.add("the add-on must have 2 or 5 digits")
            return
        }
        product.addOn = text
        if digits.count == 2 { product.issue = digits.decimal }
        if digits.count == 5, product.isbn != nil, let value = digits.decimal { product.price = price(value) }
    }

    /// Book trade (Bookland) prices. 90000 says "no price", 59999 "a hundred dollars or more".
    private static func price(_ value: Int) -> ProductPayload.Price? {
        let currency: String? =
            switch value / 10_000 {
            case 0, 1: "GBP"
            case 3: "AUD"
            case 4: "NZD"
            case 5: "USD"
            case 6: "CAD"
            default: nil
            }
        guard let currency, value != 59_999 else { return nil }
        return ProductPayload.Price(currency: currency, cents: value % 10_000)
    }
}
