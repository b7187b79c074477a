import Vocabulary

/// What is read, and how hard the readers try.
package struct ReadingSettings: Hashable, Sendable {
    /// Rules by symbology; a symbology that isn't in the table isn't read.
    package var symbologies: [Symbology: SymbologySettings] = ReadingSettings.defaultSymbologies
    /// Reader processes besides the warm spare. 1…4.
    package var workers = 1
    /// A frame that takes longer is given up, and its worker is replaced. A Zero 2 W needs about ten times as long as a PC.
    package var deadline: Duration = .milliseconds(1500)
    /// Frames that crashed a reader are kept here (PGM), the oldest dropped; `nil`: not kept.
    package var crashFolder: String?
    package var crashFolderMaxFiles = 20
    /// Skips frames that show nothing new, or nothing at all.
    package var changeGate = true
    package var effort = Effort.normal
    /// Finds out why what looks like a code isn't read.
    package var diagnoses = true
    /// Outputs get `unread` events, too; the panel and clients of the control socket always do.
    package var reportsUnread = false

    /// How much of the machine reading may take.
    package enum Effort: String, CaseIterable, Hashable, Sendable {
        /// Idle time stays idle: coolest.
        case eco
        /// Idle time is spent on the still reader's passes, one by one on the newest frame, in a process of their own.
        case normal
        /// The same, and each frame is read as hard as while a session waits.
        case max
    }

    package init() {}

    /// Everything common. DataBar is off, because the decoders find false ones in noise.
    package static let defaultSymbologies: [Symbology: SymbologySettings] = {
        var table: [Symbology: SymbologySettings] = [:]
        for symbology: Symbology in [
            .aztec, .codabar, .code39, .code93, .code128, .dataMatrix, .ean8, .ean13, .itf, .itf14, .microQRCode,
            .pdf417,
            .qrCode, .upcA, .upcE,
        ] {
            table[symbology] = SymbologySettings.standard(for: symbology)
        }
        return table
    }()
}

/// How one symbology is read; one without settings isn't read.
package struct SymbologySettings: Hashable, Sendable {
    /// Shortest and longest data, in characters.
    package var minLength: Int
    package var maxLength: Int
    /// Optional check digits: Code 39 (mod 43), ITF (GS1 mod 10), Codabar (mod 16).
    package var checkDigit: CheckDigitRule
    /// Also reads light on dark.
    package var inverse: Bool
    /// Different observations that must agree before a live read counts. 1…5.
    package var agreement: Int
    /// EAN/UPC: reads 2- and 5-digit add-ons.
    package var addOns: Bool
    /// Code 39: pairs such as `+A` stand for other characters (ISO/IEC 16388, annex B.1). Nothing in a code says so, and plain
    /// labels contain such pairs by chance (`N/A` would become `N!`), so it is off unless the labels are known to use it.
    package var fullASCII: Bool
    /// Code 39: six characters without vowels whose number has a valid check digit are an Italian pharmaceutical number (Code 32). One in
    /// some ten of such labels that aren't has one by chance, so it is off unless a shop sells medicines.
    package var code32: Bool

    package init(
        minLength: Int = 1, maxLength: Int = 8000, checkDigit: CheckDigitRule = .none, inverse: Bool = true,
        agreement: Int = 1, addOns: Bool = false, fullASCII: Bool = false, code32: Bool = false
    ) {
        self.minLength = minLength
        self.maxLength = maxLength
        self.checkDigit = checkDigit
        self.inverse = inverse
        self.agreement = agreement
        self.addOns = addOns
        self.fullASCII = fullASCII
        self.code32 = code32
    }

    /// ITF of any length misreads, hence 6; weak symbologies (no or little error detection) need two observations.
    package static func standard(for symbology: Symbology) -> SymbologySettings {
        switch symbology {
        case .itf: SymbologySettings(minLength: 6, agreement: 2)
        case .codabar, .code39, .code93: SymbologySettings(minLength: 3, agreement: 2)
        case .upcE, .ean8, .itf14, .dataBar, .dataBarExpanded, .dataBarLimited: SymbologySettings(agreement: 2)
        default: SymbologySettings()
        }
    }
}
