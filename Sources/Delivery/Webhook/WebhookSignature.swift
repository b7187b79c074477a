import CCrypto

/// The signature header, for receivers that must know that a request comes from a station, unchanged and recent:
///
/// `X-ScanStation-Signature: t=1795241680,v1=<hex of HMAC-SHA256(key, "1795241680.<body>")>`
///
/// The time is part of what is signed, so that a receiver can reject a recorded request. It is in seconds since 1970, by the station's
/// clock at this attempt (a retry is signed again). To verify it in Python:
/// ```
/// def is_genuine(header, body, key, tolerance=300):       # body and key: bytes
///     fields = dict(part.split("=", 1) for part in header.split(","))
///     expected = hmac.new(key, fields["t"].encode() + b"." + body, hashlib.sha256).hexdigest()
///     return hmac.compare_digest(expected, fields["v1"]) and abs(time.time() - int(fields["t"])) <= tolerance
/// ```
enum WebhookSignature {
    static let header = "X-ScanStation-Signature"

    /// The header's value; `nil` if the library refuses.
    static func value(key: [UInt8], unixSeconds: Int64, body: [UInt8]) -> String? {
        let message = Array("\(unixSeconds).".utf8) + body
        var code = [UInt8](repeating: 0, count: Int(CCRYPTO_SHA256_BYTES))
        guard CCrypto_hmac_sha256(key, key.count, message, message.count, &code) == 0 else { return nil }
        let digits = Array("0123456789abcdef".utf8)
        let hex = code.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return "t=\(unixSeconds),v1=\(String(decoding: hex, as: UTF8.self))"
    }
}
