/// `tel:`, `sms:` and their relatives.
enum MessagingParser {
    static func phone(_ body: Bytes) -> PhonePayload? {
        let pieces = body.parts(separatedBy: UInt8(ascii: ";"))
        let number = (pieces.first ?? []).percentDecoded().trimmed
        guard isNumber(number) else { return nil }
        let extensions = pieces.dropFirst().compactMap { $0.after("ext=") }
        return PhonePayload(number: number.text, extensionNumber: extensions.first?.percentDecoded().textOrNil)
    }

    /// `NUMBER,NUMBER?body=…` (percent-encoded) or `NUMBER:text` as it is.
    static func message(_ body: Bytes, isMultimedia: Bool) -> MessagePayload? {
        let (head, query) = body.cut(at: UInt8(ascii: "?"))
        let (list, plain) = head.cut(at: UInt8(ascii: ":"))
        let numbers = list.parts(separatedBy: UInt8(ascii: ",")).map { piece in
            piece.cut(at: UInt8(ascii: ";")).0.percentDecoded().trimmed
        }.filter { !$0.isEmpty }
        guard numbers.allSatisfy(isNumber) else { return nil }
        var message = MessagePayload(numbers: numbers.map(\.text), isMultimedia: isMultimedia)
        if plain != nil {
            // A `?` after the colon belongs to the text.
            message.body = body[(list.endIndex + 1)...].textOrNil
        } else {
            for (name, value) in query?.queryPairs ?? [] {
                let text = value.percentDecoded().textOrNil
                switch name {
                case "body": message.body = message.body ?? text
                case "subject": message.subject = message.subject ?? text
                default: break
                }
            }
        }
        return numbers.isEmpty && message.body == nil ? nil : message
    }

    /// Dialable: at least one digit, and otherwise only digits, dial-pad letters and separators.
    private static func isNumber(_ bytes: Bytes) -> Bool {
        let separators = Array("+-.()/*#, ".utf8)
        return bytes.count <= maxNumberBytes && bytes.contains { $0.isDigit || $0 == UInt8(ascii: "*") }
            && bytes.allSatisfy { $0.isDigit || $0.isLetter || separators.contains($0) }
    }

    private static let maxNumberBytes = 64
}
