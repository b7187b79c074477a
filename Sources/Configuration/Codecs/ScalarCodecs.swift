import Templates
import Vocabulary

extension Codec where Value == Bool {
    static var bool: Codec {
        Codec(
            takes: "on or off", choices: ["on", "off"], shape: .toggle,
            parse: { text in
                switch text.lowercased() {
                case "on", "true", "yes": true
                case "off", "false", "no": false
                default: nil
                }
            },
            write: { $0 ? "on" : "off" })
    }
}

extension Codec where Value: RawRepresentable & CaseIterable & Sendable, Value.RawValue == String {
    /// One of the enumeration's raw values.
    static var word: Codec { word(calling: [:]) }

    /// `others`: what people call them elsewhere, in lower case. These words aren't accepted; the complaint says what to write.
    static func word(calling others: [String: Value]) -> Codec {
        let words = Value.allCases.map(\.rawValue)
        return Codec(
            takes: words.count == 2 ? words.joined(separator: " or ") : "one of \(words.joined(separator: ", "))",
            advice: { text in
                if let meant = others[text.lowercased()] { return "did you mean \"\(meant.rawValue)\"?" }
                return Spelling.advice(for: text, among: words)
            },
            shape: .choice(words), parse: { Value(rawValue: $0) }, write: \.rawValue)
    }
}

extension Codec where Value == Duration {
    static func duration(_ range: ClosedRange<Duration>) -> Codec {
        Codec(
            takes: DurationText.taken(range),
            advice: { text in DurationText.meant(by: text, in: range).map { "write \($0)" } },
            shape: .duration(range),
            parse: { text in DurationText.parse(text).flatMap { range.contains($0) ? $0 : nil } },
            write: DurationText.text)
    }
}

extension Codec where Value == Int {
    static func whole(_ range: ClosedRange<Int>) -> Codec {
        Codec(
            takes: "a whole number from \(range.lowerBound) to \(range.upperBound)", shape: .integer(range),
            parse: { Int($0).flatMap { range.contains($0) ? $0 : nil } }, write: { "\($0)" })
    }

    static func oneOf(_ values: [Int]) -> Codec {
        let words = values.map { "\($0)" }
        return Codec(
            takes: words.count == 2 ? words.joined(separator: " or ") : "one of \(words.joined(separator: ", "))",
            shape: .choice(words), parse: { Int($0).flatMap { values.contains($0) ? $0 : nil } }, write: { "\($0)" })
    }

    /// A number of bytes; written with the largest binary unit that leaves no remainder.
    static func bytes(_ range: ClosedRange<Int>) -> Codec {
        Codec(
            takes: "a number of bytes from \(ByteCount.text(range.lowerBound)) to \(ByteCount.text(range.upperBound))",
            parse: { ByteCount.parse($0).flatMap { range.contains($0) ? $0 : nil } }, write: ByteCount.text)
    }
}

extension Codec where Value: BinaryFloatingPoint & LosslessStringConvertible & Sendable {
    static func number(_ range: ClosedRange<Value>) -> Codec {
        Codec(
            takes: "a number from \(NumberText.text(range.lowerBound)) to \(NumberText.text(range.upperBound))",
            shape: .number(Double(range.lowerBound)...Double(range.upperBound)),
            parse: { NumberText.parse($0).flatMap { range.contains($0) ? $0 : nil } }, write: NumberText.text)
    }
}

extension Codec where Value == UInt64 {
    static var seed: Codec {
        Codec(takes: "a whole number from 0 up", parse: { UInt64($0) }, write: { "\($0)" })
    }
}

extension Codec where Value == UInt32 {
    /// Permissions of a file. Octal in every notation: `0660`, `"0660"`, `0o660`, `660`.
    static var fileMode: Codec {
        Codec(
            takes: "an octal file mode from 0000 to 0777",
            parse: { text in
                let digits = text.hasPrefix("0o") ? text.dropFirst(2) : text[...]
                guard (1...4).contains(digits.count), digits.first != "+", digits.first != "-" else { return nil }
                return UInt32(digits, radix: 8).flatMap { $0 <= 0o777 ? $0 : nil }
            },
            write: { mode in
                let digits = String(mode, radix: 8)
                return "0" + String(repeating: "0", count: max(0, 3 - digits.count)) + digits
            })
    }
}

extension Codec where Value == String {
    /// Text whose length in UTF-8 bytes is in `range`, without control characters.
    static func text(_ what: String, bytes range: ClosedRange<Int>) -> Codec {
        Codec(
            takes: "\(what) (printable, \(range.lowerBound) to \(range.upperBound) bytes)",
            parse: { text in
                let isClean = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
                return isClean && range.contains(text.utf8.count) ? text : nil
            },
            write: YAMLText.string)
    }

    /// What an output writes for a scan. It may contain control characters that YAML's double quotes produce (`"\r\n"`).
    static var template: Codec {
        let takes = "a template such as '{text}<CR><LF>'"
        return Codec(
            takes: takes,
            read: { node, path, findings in
                guard let text = node.scalarText, !text.isEmpty else {
                    findings.reject(node, path, takes: takes)
                    return nil
                }
                do throws(TemplateError) {
                    return try Template(text).source
                } catch {
                    findings.error("\(path), character \(error.position): \(error.problem)", at: node)
                    return nil
                }
            },
            write: YAMLText.string)
    }

    /// The path of a file or folder.
    static var path: Codec { path(bytes: 4095) }

    /// The path of a Unix socket. The kernel's `sun_path` has 108 bytes with its end.
    static var socketPath: Codec { path(bytes: 107) }

    private static func path(bytes: Int) -> Codec {
        let text = Codec<String>.text("a path", bytes: 1...bytes)
        return Codec(
            takes: text.takes, advice: text.advice,
            read: { node, path, findings in
                let value = text.read(node, path, &findings)
                if let value, value == "~" || value.hasPrefix("~/") {
                    findings.add(
                        .warning, "\(path): ~ is not replaced by your home: write the whole path",
                        at: Findings.position(node))
                }
                return value
            },
            write: text.write)
    }

    /// A URL scheme without its colon (RFC 3986, 3.1), kept in lower case.
    static var urlScheme: Codec {
        Codec(
            takes: "a URL scheme such as myapp, without the colon",
            parse: { text in
                guard (1...64).contains(text.utf8.count), let first = text.first, first.isASCII, first.isLetter else {
                    return nil
                }
                let isScheme = text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
                return isScheme ? text.lowercased() : nil
            },
            write: YAMLText.string)
    }

    /// A GPIO line: `GPIO17`, `pinctrl-rp1:17`, or `17` for `GPIO17`.
    static var line: Codec {
        Codec(
            takes: "a GPIO line such as GPIO17, 17 for short, or pinctrl-rp1:17",
            parse: { text in
                if let number = Int(text) { return number >= 0 && text.count <= 3 ? "GPIO\(number)" : nil }
                let isClean = text.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value < 0x7F }
                guard isClean, (1...64).contains(text.utf8.count) else { return nil }
                let parts = text.split(separator: ":", omittingEmptySubsequences: false)
                switch parts.count {
                case 1: return text
                case 2: return !parts[0].isEmpty && Int(parts[1]).map { $0 >= 0 } == true ? text : nil
                default: return nil
                }
            },
            write: YAMLText.string)
    }
}
