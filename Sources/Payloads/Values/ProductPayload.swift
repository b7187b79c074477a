/// A product number of an EAN, UPC or ITF-14 code, brought to one form.
package struct ProductPayload: Hashable, Sendable {
    /// 14 digits, whatever the code: UPC-E is expanded, shorter numbers get leading zeros.
    package var gtin: String
    /// The number in its own length: 8 (EAN-8), 12 (UPC-A, expanded UPC-E), 13 or 14 digits.
    package var number: String
    /// Last digit as GS1 computes it. A wrong one is listed in `problems`.
    package var isCheckDigitRight: Bool
    /// 13 digits, prefix 978 or 979.
    package var isbn: String?
    /// 10 characters, for prefix 978 only; the last may be `X`.
    package var isbn10: String?
    /// `1234-5679`, from prefix 977.
    package var issn: String?
    /// ISMN (printed music): 13 digits, prefix 979-0.
    package var ismn: String?
    /// Numbers that a shop or company assigns itself (GS1 prefixes 02, 04, 20…29; UPC 2 and 4; EAN-8 0 and 2): not globally unique.
    package var isRestricted: Bool
    /// Digits of the add-on.
    package var addOn: String?
    /// A 5-digit add-on's price, if its first digit names a currency.
    package var price: Price?
    /// A 2-digit add-on's number (an issue of a periodical).
    package var issue: Int?
    package var problems: [String]

    package struct Price: Hashable, Sendable {
        /// ISO 4217 code: the add-on's first digit (0 GBP, 3 AUD, 4 NZD, 5 USD, 6 CAD).
        package var currency: String
        /// In hundredths.
        package var cents: Int

        package init(currency: String, cents: Int) {
            self.currency = currency
            self.cents = cents
        }
    }

    package init(
        gtin: String, number: String, isCheckDigitRight: Bool = true, isbn: String? = nil, isbn10: String? = nil,
        issn: String? = nil, ismn: String? = nil, isRestricted: Bool = false, addOn: String? = nil,
        price: Price? = nil, issue: Int? = nil, problems: [String] = []
    ) {
        self.gtin = gtin
        self.number = number
        self.isCheckDigitRight = isCheckDigitRight
        self.isbn = isbn
        self.isbn10 = isbn10
        self.issn = issn
        self.ismn = ismn
        self.isRestricted = isRestricted
        self.addOn = addOn
        self.price = price
        self.issue = issue
        self.problems = problems
    }
}
