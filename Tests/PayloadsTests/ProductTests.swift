import Testing
import Vocabulary

@testable import Payloads

@Suite("Products")
struct ProductTests {
    private func read(_ digits: String, _ symbology: Symbology, addOn: String? = nil) -> ProductPayload? {
        PayloadInterpreter().interpret(symbol(digits, symbology, aim: "]E0", addOn: addOn)).product
    }

    @Test(
        "Every length becomes a GTIN of 14 digits",
        arguments: [
            (Symbology.ean13, "4006381333931", "04006381333931", "4006381333931"),
            (.ean13, "036000291452", "00036000291452", "0036000291452"),
            (.ean8, "96385074", "00000096385074", "96385074"),
            (.upcA, "036000291452", "00036000291452", "036000291452"),
            (.upcA, "0036000291452", "00036000291452", "036000291452"),
            (.itf14, "15400141288763", "15400141288763", "15400141288763"),
            // UPC-E by its last digit, with and without number system and check digit.
            (.upcE, "04252614", "00042100005264", "042100005264"),
            (.upcE, "01234505", "00012000003455", "012000003455"),
            (.upcE, "01234531", "00012300000451", "012300000451"),
            (.upcE, "01234543", "00012340000053", "012340000053"),
            (.upcE, "01234565", "00012345000065", "012345000065"),
            (.upcE, "123456", "00012345000065", "012345000065"),
            (.upcE, "0123456", "00012345000065", "012345000065"),
            (.upcE, "012345000065", "00012345000065", "012345000065"),
            (.upcE, "0012345000065", "00012345000065", "012345000065"),
        ])
    func normalises(symbology: Symbology, digits: String, gtin: String, number: String) throws {
        let product = try #require(read(digits, symbology))
        #expect(product.gtin == gtin)
        #expect(product.number == number)
        #expect(product.isCheckDigitRight)
        #expect(product.problems.isEmpty)
    }

    @Test("A wrong check digit is named with the right one")
    func wrongCheckDigit() throws {
        let product = try #require(read("4006381333932", .ean13))
        #expect(!product.isCheckDigitRight)
        #expect(product.problems == ["the check digit is 2, it should be 1"])
    }

    @Test("Books have an ISBN in both forms, and a price from the add-on")
    func isbn() throws {
        let book = try #require(read("9780201379624", .ean13, addOn: "52995"))
        #expect(book.isbn == "9780201379624")
        #expect(book.isbn10 == "0201379627")
        #expect(book.price == ProductPayload.Price(currency: "USD", cents: 2995))
        #expect(read("9780804429573", .ean13)?.isbn10 == "080442957X")
        #expect(read("9791032305690", .ean13)?.isbn == "9791032305690")
        #expect(read("9791032305690", .ean13)?.isbn10 == nil)
    }

    @Test("No price where the add-on names none", arguments: ["90000", "59999", "20100"])
    func noPrice(addOn: String) throws {
        let book = try #require(read("9780201379624", .ean13, addOn: addOn))
        #expect(book.price == nil)
        #expect(book.addOn == addOn)
    }

    @Test("Periodicals have an ISSN and an issue, printed music an ISMN")
    func issn() throws {
        let journal = try #require(read("9770317847001", .ean13, addOn: "05"))
        #expect(journal.issn == "0317-8471")
        #expect(journal.issue == 5)
        #expect(read("9790060115615", .ean13)?.ismn == "9790060115615")
        #expect(read("9790060115615", .ean13)?.isbn == nil)
    }

    @Test(
        "Numbers of a shop's own are marked",
        arguments: [
            (Symbology.ean13, "2012345678900", true), (.ean13, "0212345678905", true), (.ean13, "4006381333931", false),
            (.ean8, "20123451", true), (.ean8, "96385074", false), (.upcA, "212345678902", true),
            (.upcA, "036000291452", false),
        ])
    func restricted(symbology: Symbology, digits: String, isRestricted: Bool) {
        #expect(read(digits, symbology)?.isRestricted == isRestricted)
    }

    @Test(
        "Data that can't be a number of the symbology is no product",
        arguments: [
            (Symbology.ean13, "400638133393" /* 12 digits: a UPC-A */, true), (.ean13, "40063813339", false),
            (.ean8, "9638507", false), (.upcA, "1036000291452", false), (.upcE, "21234565", false), (.ean13, "", false),
            (.ean13, "40063813339x1", false), (.code128, "4006381333931", false), (.itf, "15400141288763", false),
        ])
    func shape(symbology: Symbology, digits: String, isProduct: Bool) {
        #expect((read(digits, symbology) != nil) == isProduct)
    }

    @Test("A bad add-on is named")
    func badAddOn() {
        #expect(read("9780201379624", .ean13, addOn: "123")?.problems.count == 1)
        #expect(read("9780201379624", .ean13, addOn: "٣٤")?.problems.count == 1)
    }
}
