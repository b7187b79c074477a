import Settings
import Vocabulary

extension StationSchema {
    private static let moments = Duration.zero...(.seconds(3600))

    static let trigger = Section<TriggerSettings>([
        Key(
            "mode", \.mode, .word,
            """
            presentation: always looking; a code that appears is a scan. level: while the button is held. pulse: from a \
            press to the first scan. continuous: like presentation, and again every repeatInterval. host: by commands only.
            """
        ).whileRunning(),
        Key("button", \.button, in: button, sample: button("GPIO27"), "The trigger button."),
        Key(
            "timeout", \.timeout, .duration(.milliseconds(100)...(.seconds(3600))),
            "A session without a scan ends after this, as a no-read."
        ).whileRunning(),
        Key(
            "sameSymbolTimeout", \.sameSymbolTimeout, .duration(moments),
            "presentation, continuous: a code counts as new after it has been out of view for this long."
        ).whileRunning(),
        Key(
            "repeatInterval", \.repeatInterval,
            Codec.duration(.milliseconds(10)...(.seconds(3600))).orAbsent("never"),
            "continuous: a code that stays is reported again at this interval."
        ).whileRunning(),
        Key("gap", \.gap, .duration(moments), "The shortest time between two scans, whatever the codes.")
            .whileRunning(),
        Key(
            "maxScans", \.maxScans, .whole(1...64), "level, pulse, host: how many scans end a session."
        ).whileRunning(),
        Key(
            "releaseGrace", \.releaseGrace, .duration(.zero...(.seconds(5))),
            "level: for this long after the release, frames taken before it may still answer."
        ).whileRunning(),
        Key("pulseCancels", \.pulseCancels, .bool, "pulse: a second press ends the session.").whileRunning(),
        Key("reportsNoRead", \.reportsNoRead, .bool, "Sends a noRead event when a session ends without a scan.")
            .whileRunning(),
    ])

    static let confirmation = Section<ConfirmationSettings>([
        Key(
            "policy", \.policy, .word,
            "alphanumeric: symbologies of digits only (EAN, UPC, ITF) need no confirmation, others wait for one."
        ).onReload(),
        Key("button", \.button, in: button, sample: button("GPIO5"), "The confirm button."),
        Key("acceptsCommand", \.acceptsCommand, .bool, "The command \"confirm\" confirms, too.").onReload(),
        Key(
            "timeout", \.timeout, .duration(.milliseconds(100)...(.seconds(3600))),
            "A scan that waits longer is dropped, as a no-read."
        ).onReload(),
    ])

    static let reading = Section<ReadingSettings>([
        Key("symbologies", \.symbologies, in: symbologies, symbologiesDoc),
        Key("workers", \.workers, .whole(1...4), "Reader processes, besides one in reserve."),
        Key(
            "deadline", \.deadline, .duration(.milliseconds(10)...(.seconds(60))),
            "A frame that takes longer is given up, and its reader process is replaced."),
        Key(
            "crashFolder", \.crashFolder, .path, sample: "/var/lib/scanstation/crashes",
            "Keeps frames that crashed a reader in this folder, as PGM. They show what the camera saw."),
        Key(
            "crashFolderMaxFiles", \.crashFolderMaxFiles, .whole(1...10_000),
            "How many of these frames are kept; then the oldest goes."),
        Key("changeGate", \.changeGate, .bool, "Skips frames that show nothing new, or nothing at all."),
        Key(
            "effort", \.effort, .word,
            """
            Between frames a picture that changed is read as hard as a still one, on another core: normal. A scene that moves all the \
            time keeps that core busy. eco leaves this out, stays cooler, and reads fewer damaged, small and tilted codes. max \
            also reads every frame as hard as while a session waits. A machine of 70 °C or more does less of that between frames, and a hot \
            one, or one short of power or memory, reads as with eco.
            """),
        Key(
            "diagnoses", \.diagnoses, .bool,
            "Finds out why what looks like a code isn't read (too small, blurred, glare…), at most twice a second, in idle time."
        ),
        Key("reportsUnread", \.reportsUnread, .bool, "Sends unread events to outputs, too."),
    ])

    private static let symbologiesDoc =
        """
        A mapping changes the table below: on (with the standard rules), off, or rules, such as code_39: {minLength: 4, \
        checkDigit: verify}. A list such as [ean_13, qr_code] means exactly these. Rules:
        """
        + symbologyRules.outline(SymbologySettings()).map { "\n- \($0.name): \($0.doc)" }.joined()

    static let symbologies = Section<[Symbology: SymbologySettings]>(
        Symbology.allCases.sorted().map { Key($0.rawValue, \.[$0], .rules(of: $0), "") },
        short: { node, path, value, findings in
            guard node.sequence != nil else { return false }
            if let list = Codec<Symbology>.symbology.list(max: Symbology.allCases.count).read(node, path, &findings) {
                let rules = list.map { ($0, SymbologySettings.standard(for: $0)) }
                value = Dictionary(rules, uniquingKeysWith: { first, _ in first })
            }
            return true
        })

    static let symbologyRules = Section<SymbologySettings>([
        Key("minLength", \.minLength, .whole(1...8000), "shortest data, in characters (standard: 1; itf 6, code_39 3)"),
        Key("maxLength", \.maxLength, .whole(1...8000), "longest data (standard: 8000)"),
        Key(
            "checkDigit", \.checkDigit, .word,
            "none, verify, or strip (verify and remove), where it is optional: code_39, itf, codabar (standard: none)"),
        Key("inverse", \.inverse, .bool, "also reads light on dark (standard: on)"),
        Key(
            "agreement", \.agreement, .whole(1...5),
            "how many different observations must agree before it counts, 1 to 5 (standard: 1; 2 for weak symbologies)"),
        Key(
            "addOns", \.addOns, .bool,
            "EAN and UPC: reads 2- and 5-digit add-ons (standard: off); a code without one is a scan 0.3 s later"),
        Key(
            "fullASCII", \.fullASCII, .bool,
            "code_39: pairs such as +A stand for other characters; switch it on only if the labels use it (standard: off)"
        ),
        Key(
            "code32", \.code32, .bool,
            "code_39: six characters may be an Italian pharmaceutical number, such as A123456788 (Code 32; standard: off)"
        ),
    ])
}
