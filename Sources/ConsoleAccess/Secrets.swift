import CCrypto
import Wire

/// Random keys, their hashes, and comparisons that don't tell how far they came.
package enum Secrets {
    /// 128 bits: what sessions, links and tokens have. Nobody guesses one.
    package static let keyBytes = 16

    /// A new key as text for URLs, cookies and headers (32 lower-case hexadecimal digits).
    package static func key() throws(AccessError) -> String { hexadecimal(try random(keyBytes)) }

    package static func random(_ count: Int) throws(AccessError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        guard CCrypto_random(&bytes, count) == 0 else {
            throw AccessError("the system gave no random numbers: nothing was made")
        }
        return bytes
    }

    /// What is kept of a key: its SHA-256. Keys are random, so they need no salt and no slow hash.
    package static func hash(_ text: String) -> [UInt8] { hash(Array(text.utf8)) }

    package static func hash(_ message: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Int(CCRYPTO_SHA256_BYTES))
        // It fails only without memory; the digest of nothing known matches nobody.
        guard CCrypto_sha256(message, message.count, &digest) == 0 else { return [] }
        return digest
    }

    package static func areEqual(_ a: [UInt8], _ b: [UInt8]) -> Bool {
        a.count == b.count && !a.isEmpty && CCrypto_equal(a, b, a.count) == 1
    }

    package static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        var text = ""
        for byte in bytes {
            text += (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        return text
    }
}
