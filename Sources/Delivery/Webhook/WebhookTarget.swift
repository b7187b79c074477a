import Glibc
import Linux
import Settings
import Vocabulary
import Wire

/// A webhook's settings, checked, and the requests that they make.
struct WebhookTarget: Sendable {
    let settings: WebhookSettings
    /// `outputs[1].webhook`, for messages.
    let place: String
    /// The URL without its path and query, which may be secrets; for messages, which consoles and receipts show.
    let shownURL: String
    /// What of the URL servers repeat in what they say.
    let hidden: [String]
    private let version: String
    private let secrets: SecretPolicy
    private let maxAnswerHeaderBytes: Int

    /// Throws if the settings can't work on any machine. Files are looked for when they are needed.
    init(
        _ settings: WebhookSettings, place: String, version: String, secrets: SecretPolicy, maxAnswerHeaderBytes: Int
    ) throws(DeliveryError) {
        self.settings = settings
        self.place = place
        self.version = version
        self.secrets = secrets
        self.maxAnswerHeaderBytes = maxAnswerHeaderBytes
        shownURL = settings.place ?? "the server"
        let path = settings.url.prefix { $0 != "#" }.dropFirst(shownURL.count)
        let parts = path.split(separator: "?", maxSplits: 1)
        hidden = ([path] + parts).map(String.init).filter { $0.count > 1 }
        try settings.problems(at: place).throwFirst()
    }

    /// For one scan, its id. For several, the first and the last id, which identify them all, because their order never changes.
    /// The same scans have the same key, however often they are sent.
    static func idempotencyKey(_ ids: [String]) -> String {
        guard let first = ids.first, let last = ids.last, ids.count > 1 else { return ids.first ?? "" }
        return "\(first)..\(last)"
    }

    /// Throws if a file is missing, with its name. Blocks.
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

    /// What a person should know although everything works.
    var warning: String? {
        SecretSource.warning(file: settings.tokenFile, place: place, what: "token")
            ?? SecretSource.warning(file: settings.hmacKeyFile, place: place, what: "hmacKey")
    }

    /// The request for these scans. Reads the secrets again each time, and blocks for that.
    func request(_ events: [Event], ids: [String]) throws(DeliveryError) -> HTTPRequest {
        try checkFiles()
        let body = self.body(events)
        var headers = [
            "Content-Type: application/json", "User-Agent: ScanStation/\(version)",
            "Idempotency-Key: \(Self.idempotencyKey(ids))",
            // Otherwise libcurl asks before it sends a large batch, and waits for an answer that some servers never give.
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
            guard HeaderText.isValue(token) else {
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
}
