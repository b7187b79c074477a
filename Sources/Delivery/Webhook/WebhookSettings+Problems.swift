import CCurl
import Settings
import Wire

extension WebhookSettings {
    /// The most request headers that a configuration may add; more are a mistake.
    static let maxHeaders = 64
    /// The most bytes of one of them.
    static let maxHeaderBytes = 8192
    /// Headers that the output or libcurl writes itself, in lower case.
    private static let ownHeaders: Set<String> = [
        "content-type", "content-length", "transfer-encoding", "connection", "expect", "host", "user-agent",
        "idempotency-key", "x-scanstation-signature",
    ]

    /// Files are looked for when they are needed.
    func problems(at place: String) -> [SettingProblem] {
        var problems: [SettingProblem] = []
        var isEncrypted = true
        if let problem = urlProblem(isEncrypted: &isEncrypted) {
            problems.append(SettingProblem(at: "\(place).url", problem))
        }
        problems += headerProblems(at: place)
        problems += SecretSource.problems(file: tokenFile, credential: tokenCredential, place: place, what: "token")
        problems += SecretSource.problems(
            file: hmacKeyFile, credential: hmacKeyCredential, place: place, what: "hmacKey")
        if let tls {
            if !isEncrypted {
                problems.append(
                    SettingProblem(
                        at: "\(place).tls", "has no effect on an http:// URL: write https://, or remove it"))
            }
            problems += tls.problems(at: place)
        }
        if !(1...1000).contains(batch) {
            problems.append(SettingProblem(at: "\(place).batch", "\(batch) is not a number from 1 to 1000"))
        }
        return problems
    }

    private func urlProblem(isEncrypted: inout Bool) -> String? {
        var flag: Int32 = 1
        var words: UnsafePointer<CChar>? = nil
        let outcome = CCurl_url_check(url, &flag, &words)
        isEncrypted = flag != 0
        let reason: String
        switch outcome {
        case CCURL_URL_FINE: return nil
        case CCURL_URL_NOT_HTTP: reason = "begins with neither https:// nor http://"
        case CCURL_URL_HAS_USER:
            return "a user or password doesn't belong in a URL, because logs show URLs: use tokenFile or headers"
        case CCURL_URL_NO_MEMORY: reason = "can't be checked: out of memory"
        default: reason = "is not a URL (\(words.map { String(cString: $0) } ?? "malformed"))"
        }
        return "\"\(TerminalText.escape(url, limit: 100))\" \(reason): write https://host/path"
    }

    private func headerProblems(at place: String) -> [SettingProblem] {
        guard headers.count <= Self.maxHeaders else {
            return [SettingProblem(at: "\(place).headers", "more than \(Self.maxHeaders) (maxHeaders)")]
        }
        let hasToken = tokenFile != nil || tokenCredential != nil
        return headers.sorted { $0.key < $1.key }.compactMap { name, value in
            let shown = TerminalText.escape(name, limit: 100)
            let path = "\(place).headers.\(name)"
            func problem(_ message: String) -> SettingProblem { SettingProblem(path: path, message: message) }
            guard HeaderText.isName(name) else {
                return problem("\(place).headers: \"\(shown)\" is not the name of a header")
            }
            guard HeaderText.isValue(value), name.utf8.count + value.utf8.count <= Self.maxHeaderBytes else {
                return problem(
                    "\(place).headers.\(shown): a value is at most \(Self.maxHeaderBytes) bytes, without control characters"
                )
            }
            let small = name.lowercased()
            guard !Self.ownHeaders.contains(small), !(small == "authorization" && hasToken) else {
                return problem("\(place).headers.\(shown): the output writes this header itself")
            }
            return nil
        }
    }
}

/// What RFC 9110 allows in a header.
enum HeaderText {
    static func isName(_ text: String) -> Bool { !text.isEmpty && text.utf8.allSatisfy(isToken) }

    static func isValue(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
    }

    private static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
