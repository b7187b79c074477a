import Settings
import Vocabulary

extension SettingsChecks {
    static let reading: [SettingsCheck] = [
        SettingsCheck { settings, findings in
            guard settings.reading.symbologies.isEmpty else { return }
            findings.add(
                .error, "reading.symbologies leaves nothing to read: switch one on", atPath: "reading.symbologies")
        },
        SettingsCheck { settings, findings in
            for (symbology, rules) in sorted(settings) where rules.minLength > rules.maxLength {
                findings.add(
                    .error,
                    "\(symbology.rawValue) can't be read: minLength (\(rules.minLength)) is more than maxLength "
                        + "(\(rules.maxLength))",
                    atPath: "reading.symbologies.\(symbology.rawValue).minLength")
            }
        },
        SettingsCheck { settings, findings in
            let optional: Set<Symbology> = [.code39, .itf, .codabar]
            for (symbology, rules) in sorted(settings) where rules.checkDigit != .none && !optional.contains(symbology)
            {
                findings.add(
                    .warning, "checkDigit has no effect on \(symbology.rawValue), only on code_39, itf and codabar",
                    atPath: "reading.symbologies.\(symbology.rawValue).checkDigit")
            }
        },
        SettingsCheck { settings, findings in
            let retail: Set<Symbology> = [.ean8, .ean13, .upcA, .upcE]
            for (symbology, rules) in sorted(settings) where rules.addOns && !retail.contains(symbology) {
                findings.add(
                    .warning, "addOns has no effect on \(symbology.rawValue), only on EAN and UPC",
                    atPath: "reading.symbologies.\(symbology.rawValue).addOns")
            }
        },
        SettingsCheck { settings, findings in
            let code39: Set<Symbology> = [.code39, .code39Mod43]
            for (symbology, rules) in sorted(settings) where !code39.contains(symbology) {
                for (name, isOn) in [("fullASCII", rules.fullASCII), ("code32", rules.code32)] where isOn {
                    findings.add(
                        .warning, "\(name) has no effect on \(symbology.rawValue), only on code_39",
                        atPath: "reading.symbologies.\(symbology.rawValue).\(name)")
                }
            }
        },
    ]

    private static func sorted(_ settings: StationSettings) -> [(Symbology, SymbologySettings)] {
        settings.reading.symbologies.sorted { $0.key < $1.key }
    }
}
