import ReaderProtocol
import Settings

extension DecodeRules {
    package init(_ settings: ReadingSettings) {
        self.init(symbologies: settings.symbologies.mapValues(Rule.init))
    }
}

extension DecodeRules.Rule {
    package init(_ settings: SymbologySettings) {
        self.init(
            minLength: settings.minLength, maxLength: settings.maxLength, checkDigit: settings.checkDigit,
            inverse: settings.inverse, addOns: settings.addOns, fullASCII: settings.fullASCII,
            code32: settings.code32)
    }
}
