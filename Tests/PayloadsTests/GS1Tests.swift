import Testing
import Vocabulary

@testable import Payloads

@Suite("GS1 element strings")
struct GS1Tests {
    private func parse(_ text: String, year: Int = 2026) -> GS1Payload? {
        GS1Parser(year: year).parse(Bytes(text.replacing("~", with: "\u{1D}")))
    }

    @Test(
        "Symbols are GS1 by their AIM identifier",
        arguments: [
            (Symbology.code128, "]C1", true), (.code128, "]C0", false), (.dataBarExpanded, "]e0", true),
            (.dataMatrix, "]d2", true), (.dataMatrix, "]d1", false), (.qrCode, "]Q3", true), (.qrCode, "]Q1", false),
            (.aztec, "]z1", true), (.code128, "", false),
        ])
    func carriers(symbology: Symbology, aim: String, isGS1: Bool) {
        let payload = PayloadInterpreter().interpret(symbol("0109506000134352", symbology, aim: aim))
        #expect((payload.gs1 != nil) == isGS1)
    }

    @Test("A separator in front tells GS1 where the decoder gives no identifier")
    func leadingSeparator() {
        let payload = PayloadInterpreter().interpret(symbol("\u{1D}0109506000134352", .dataMatrix, aim: ""))
        #expect(payload.gs1?.gtin == "09506000134352")
    }

    @Test("DataBar's bare number is a GTIN")
    func dataBar() {
        let payload = PayloadInterpreter().interpret(symbol("09506000134352", .dataBar, aim: "]e0"))
        #expect(payload.gs1?.gtin == "09506000134352")
    }

    @Test("Fixed lengths follow each other, variable ones end at a separator")
    func splitting() throws {
        let gs1 = try #require(parse("0109506000134352172612311012~21A/b-7~3103001250"))
        #expect(gs1.humanReadable == "(01)09506000134352(17)261231(10)12(21)A/b-7(3103)001250")
        #expect(gs1.elements.map(\.title) == ["GTIN", "USE BY or EXPIRY", "BATCH/LOT", "SERIAL", "NET WEIGHT (kg)"])
        #expect(gs1.gtin == "09506000134352")
        #expect(gs1["3103"]?.meaning == .quantity("1.250", unit: "kg"))
        #expect(gs1.problems.isEmpty)
    }

    @Test("Separators that needn't be there do no harm")
    func needlessSeparators() throws {
        let gs1 = try #require(parse("~~0109506000134352~~17261231~10X~~"))
        #expect(gs1.elements.map(\.ai) == ["01", "17", "10"])
        #expect(gs1.problems.isEmpty)
    }

    @Test(
        "Two-digit years lie within fifty years of now, day 00 is a whole month",
        arguments: [
            (2026, "261231", "2026-12-31", false), (2026, "760101", "2076-01-01", false),
            (2026, "770101", "1977-01-01", false), (2026, "280200", "2028-02-29", true),
            (2060, "100101", "2110-01-01", false), (2060, "110101", "2011-01-01", false),
        ])
    func dates(year: Int, digits: String, date: String, isWholeMonth: Bool) throws {
        let gs1 = try #require(parse("17" + digits, year: year))
        guard case .date(let meaning) = gs1["17"]?.meaning else {
            Issue.record("no date in \(gs1)")
            return
        }
        #expect(meaning.description == date)
        #expect(meaning.isWholeMonth == isWholeMonth)
    }

    @Test(
        "Dates with a time of day",
        arguments: [
            ("70032611210905", "7003", "2026-11-21T09:05:00"), ("8008261121090530", "8008", "2026-11-21T09:05:30"),
            ("80082611210905", "8008", "2026-11-21T09:05:00"), ("800826112109", "8008", "2026-11-21T09:00:00"),
            ("725020000229", "7250", "2000-02-29"), ("7251200002292359", "7251", "2000-02-29T23:59:00"),
        ])
    func moments(text: String, ai: String, date: String) throws {
        guard case .date(let read) = parse(text)?[ai]?.meaning else {
            Issue.record("no date in \(text)")
            return
        }
        #expect(read.description == date)
    }

    @Test(
        "Measures and money have their decimal point and unit",
        arguments: [
            ("4331000475-", "4331", "-4.75", "°C"), ("4331000475", "4331", "4.75", "°C"),
            ("392210050", "3922", "100.50", ""), ("39309781234", "3930", "1234", "978"),
            ("39399781", "3939", "0.000000001", "978"), ("39410125", "3941", "12.5", "%"),
            ("3100000000", "3100", "0", "kg"),
        ])
    func quantities(text: String, ai: String, number: String, unit: String) {
        #expect(parse(text)?[ai]?.meaning == .quantity(number, unit: unit))
    }

    @Test("A place has degrees")
    func place() {
        #expect(parse("430913870000003163000000")?["4309"]?.meaning == .place(latitude: 48.7, longitude: -43.7))
    }

    @Test("A harvest may be a day or a period")
    func period() throws {
        #expect(parse("7007261101")?["7007"]?.meaning?.isDate == true)
        guard case .period(let first, let last) = parse("7007261101261105")?["7007"]?.meaning else {
            Issue.record("no period")
            return
        }
        #expect(first.description == "2026-11-01")
        #expect(last.description == "2026-11-05")
    }

    @Test(
        "Each deviation is one sentence that names its identifier",
        arguments: [
            ("0109506000134353", "(01) has the check digit 3, it should be 2"),
            ("00106141412345678909", "(00) has the check digit 9, it should be 8"),
            ("17261301", "(17) is not a date (YYMMDD, day 00 for the month)"),
            ("70032611000905", "(7003) is not a date (YYMMDD)"), ("70032611012460", "(7003) is not a time (HHMM)"),
            ("17AB1231", "(17) must be digits"), ("0109506", "(01) has 5 characters, it must have 14"),
            ("10123456789012345678901", "(10) has 21 characters, it can have 20: a separator may be missing"),
            ("10A#B", "(10) has the character 0x23, which isn't allowed there"),
            ("2610", "no application identifier starts at character 9"), ("3106001250", "(3106) isn't an application"),
            ("4321" + "2", "(4321) must be 0 or 1"),
            ("80060950600013435203" + "02", "(8006) is not a piece of a total"),
            ("800319506000134352", "(8003) must start with 0"), ("25412", ""),
            ("4022", "(402) has 1 character, it must have 17"),
            ("7007261101123", "(7007) has 9 characters, which isn't a length"),
            ("43310004751", "(4331) may have a minus"), ("423040276", ""),
            ("4230402", "(423) has 4 characters, which isn't"),
            ("804312345678901234567890", ""), ("7230AB", "(7230) has 2 characters, it needs at least 3"),
        ])
    func problems(text: String, sentence: String) throws {
        // The first element is right, so that text that starts wrong is still a payload.
        let problems = try #require(parse("11261101" + text)).problems
        if sentence.isEmpty {
            #expect(problems.isEmpty)
        } else {
            #expect(problems.count == 1)
            #expect(problems.first?.hasPrefix(sentence) == true, "\(problems)")
        }
    }

    @Test("A GTIN with a wrong check digit isn't a GTIN")
    func wrongGTIN() { #expect(parse("0109506000134353")?.gtin == nil) }

    @Test("A value after a stray identifier isn't lost: the elements before it are there")
    func rest() throws {
        let gs1 = try #require(parse("010950600013435209x"))
        #expect(gs1.elements.count == 1)
        #expect(gs1.problems == ["no application identifier starts at character 17"])
    }

    @Test("A key with check characters")
    func checkCharacters() {
        #expect(CheckCharacters.isCharacterPairRight(Bytes("1987654Ad4X4bL5ttr2310c2K")))
        #expect(!CheckCharacters.isCharacterPairRight(Bytes("1987654Ad4X4bL5ttr2310c2L")))
        #expect(parse("80131987654Ad4X4bL5ttr2310c2K")?.problems == [])
        #expect(parse("8013a~")?.problems.count == 1)
    }
}

extension GS1Element.Meaning {
    fileprivate var isDate: Bool { if case .date = self { true } else { false } }
}
