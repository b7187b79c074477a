import CCurl
import Glibc
import ScanCore
import Wire

/// A webhook's settings, checked, and the requests that they make.
struct WebhookTarget: Sendable {
    /// Request headers that people add; more are a mistake.
    static let maxHeaders = 64
    /// Bytes of one such header.
    static let maxHeaderBytes = 8192
    /// Headers that the output or libcurl writes itself, in small letters.
    private static let ownHeaders: Set<String> = [
        "content-type", "content-length", "transfer-encoding", "connection", "expect", "host", "user-agent",
        "idempotency-key", "x-scanstation-signature",
    ]

    let settings: WebhookSettings
    /// `outputs[1].webhook`, for messages.
    let place: String
    /// The URL without its query, which may hold a secret; for messages.
    let shownURL: String
    private let version: String
    private let secrets: SecretPolicy
    private let maxAnswerHeaderBytes: Int

    /// Throws what can't work on any machine. Files are looked for when they are needed.
    init(
        _ settings: WebhookSettings, place: String, version: String, secrets: SecretPolicy, maxAnswerHeaderBytes: Int
    ) throws(DeliveryError) {
        self.settings = settings
        self.place = place
        self.version = version
        self.secrets = secrets
        self.maxAnswerHeaderBytes = maxAnswerHeaderBytes
        shownURL = String(settings.url.prefix { $0 != "?" && $0 != "#" })
        let isEncrypted = try Self.check(url: settings.url, place)
        try checkHeaders()
        try checkTLS(isEncrypted: isEncrypted)
        guard (1...1000).contains(settings.batch) else {
            throw DeliveryError(.badSetting, "\(place).batch: \(settings.batch) is not a number from 1 to 1000")
        }
    }

    /// One scan: its id. Several: the first and the last one's, which say which scans it were, as their order never changes.
    /// The same scans have the same key, however often they are sent.
    static func idempotencyKey(_ ids: [String]) -> String {
        guard let first = ids.first, let last = ids.last, ids.count > 1 else { return ids.first ?? "" }
        return "\(first)..\(last)"
    }

    /// Throws which file is missing. Blocks.
    func checkFiles() throws(DeliveryError) {
        _ = try secretHeaders(body: [])
        for (key, path) in [
            ("ca", settings.tls?.ca), ("certificate", settings.tls?.certificate), ("key", settings.tls?.key),
        ] {
            guard let path, access(path, R_OK) != 0 else { continue }
            let error = SystemError()
            let (code, advice): (DeliveryError.Code, String) =
                switch error.code {
                case ENOENT, ENOTDIR: (.noSuchDevice, "no such file \(path): make it, or correct the path")
                case EACCES: (.noPermission, "no permission to read \(path): give it to the station's user")
                default: (.system, "cannot read \(path): \(error.text)")
                }
            throw DeliveryError(code, "\(place).tls.\(key): \(advice)")
        }
    }

    /// What a person should know though everything works.
    var warning: String? {
        SecretSource.warning(file: settings.tokenFile, place: place, what: "token")
            ?? SecretSource.warning(file: settings.hmacKeyFile, place: place, what: "hmacKey")
    }

    /// The request for these scans. Reads the secrets anew, and blocks for that.
    func request(_ events: [Event], ids: [String]) throws(DeliveryError) -> HTTPRequest {
        try checkFiles()
        let body = self.body(events)
        var headers = [
            "Content-Type: application/json", "User-Agent: ScanStation/\(version)",
            "Idempotency-Key: \(Self.idempotencyKey(ids))",
            // libcurl would ask before it sends a large batch, and wait for an answer that some servers never give.
            "Expect:",
        ]
        for (name, value) in settings.headers.sorted(by: { $0.key < $1.key }) {
            headers.append(value.isEmpty ? "\(name);" : "\(name): \(value)")
        }
        headers += try secretHeaders(body: body)
        var request = HTTPRequest(
            url: settings.url, headers: headers, body: body, timeout: settings.timeout,
            maxBodyBytes: settings.maxAnswerBytes, maxHeaderBytes: maxAnswerHeaderBytes)
        request.ca = settings.tls?.ca
        request.certificate = settings.tls?.certificate
        request.key = settings.tls?.key
        request.verifiesServer = settings.tls?.verify ?? true
        return request
    }

    private func body(_ events: [Event]) -> [UInt8] {
        let lines = events.map { $0.line(secrets: secrets).dropLast() }
        guard settings.batch > 1 else { return Array(lines.first ?? []) }
        return [UInt8(ascii: "[")] + lines.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "]")]
    }

    private func secretHeaders(body: [UInt8]) throws(DeliveryError) -> [String] {
        var headers: [String] = []
        let token = try SecretSource.read(
            file: settings.tokenFile, credential: settings.tokenCredential, place: place, what: "token")
        if let token {
            guard Self.isHeaderText(token) else {
                throw DeliveryError(.badSetting, "\(place).tokenFile: the token contains control characters")
            }
            headers.append("Authorization: Bearer \(token)")
        }
        let key = try SecretSource.readBytes(
            file: settings.hmacKeyFile, credential: settings.hmacKeyCredential, place: place, what: "hmacKey")
        if let key {
            let seconds = Int64(time(nil))
            guard let signature = WebhookSignature.value(key: key, unixSeconds: seconds, body: body) else {
                throw DeliveryError(.system, "\(place).hmacKeyFile: OpenSSL can't compute an HMAC-SHA256 with this key")
            }
            headers.append("\(WebhookSignature.header): \(signature)")
        }
        return headers
    }

    // MARK: Checks

    /// Whether it is encrypted.
    private static func check(url: String, _ place: String) throws(DeliveryError) -> Bool {
        var isEncrypted: Int32 = 0
        var words: UnsafePointer<CChar>? = nil
        let reason: String
        switch CCurl_url_check(url, &isEncrypted, &words) {
        case CCURL_URL_FINE: return isEncrypted != 0
        case CCURL_URL_NOT_HTTP: reason = "begins with neither https:// nor http://"
        case CCURL_URL_HAS_USER:
            throw DeliveryError(
                .badSetting,
                "\(place).url: a user or password has no place in a URL, which logs show: use tokenFile or headers")
        case CCURL_URL_NO_MEMORY: reason = "can't be checked: out of memory"
        default: reason = "is no URL (\(words.map { String(cString: $0) } ?? "malformed"))"
        }
        throw DeliveryError(
            .badSetting, "\(place).url: \"\(TerminalText.escape(url, limit: 100))\" \(reason): write https://host/path")
    }

    private func checkHeaders() throws(DeliveryError) {
        guard settings.headers.count <= Self.maxHeaders else {
            throw DeliveryError(.badSetting, "\(place).headers: more than \(Self.maxHeaders) (maxHeaders)")
        }
        for (name, value) in settings.headers.sorted(by: { $0.key < $1.key }) {
            let shown = TerminalText.escape(name, limit: 100)
            guard !name.isEmpty, name.utf8.allSatisfy(Self.isToken) else {
                throw DeliveryError(.badSetting, "\(place).headers: \"\(shown)\" is not the name of a header")
            }
            guard Self.isHeaderText(value), name.utf8.count + value.utf8.count <= Self.maxHeaderBytes else {
                throw DeliveryError(
                    .badSetting,
                    "\(place).headers.\(shown): a value is at most \(Self.maxHeaderBytes) bytes, without control characters"
                )
            }
            let small = name.lowercased()
            let hasToken = settings.tokenFile != nil || settings.tokenCredential != nil
            guard !Self.ownHeaders.contains(small), !(small == "authorization" && hasToken) else {
                throw DeliveryError(.badSetting, "\(place).headers.\(shown): the output writes this header itself")
            }
        }
    }

    private func checkTLS(isEncrypted: Bool) throws(DeliveryError) {
        guard let tls = settings.tls else { return }
        guard isEncrypted else {
            throw DeliveryError(
                .badSetting, "\(place).tls: has no effect on an http:// URL: write https://, or take it away")
        }
        guard (tls.certificate == nil) == (tls.key == nil) else {
            let missing = tls.key == nil ? "key" : "certificate"
            throw DeliveryError(
                .badSetting, "\(place).tls.\(missing): is missing: certificate and key go together")
        }
    }

    /// What RFC 9110 allows in a header's name.
    private static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }

    private static func isHeaderText(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
    }
}
