import CCrypto
import Wire

/// A password's scrypt hash, in the text form that other tools write, too: `$scrypt$ln=14,r=8,p=5$SALT$HASH` (base64 without padding).
///
/// The costs are OWASP's for little memory: 16 MiB a try, and no more than 64 MiB in a file from elsewhere.
package struct PasswordHash: Hashable, Sendable, CustomStringConvertible {
    package static let shortest = 8
    package static let longest = 256
    private static let maxMemory: UInt64 = 96 << 20
    private static let keyBytes = 32

    private var logN: UInt64 = 14
    private var r: UInt64 = 8
    private var p: UInt64 = 5
    private var salt: [UInt8]
    private var key: [UInt8] = []

    /// Hashes a new password; throws what is wrong with it.
    package init(password: String) throws(AccessError) {
        let length = password.unicodeScalars.count
        guard length >= Self.shortest else {
            throw AccessError("the password has \(length) characters: choose one of at least \(Self.shortest)")
        }
        guard length <= Self.longest else {
            throw AccessError("the password has \(length) characters: choose one of at most \(Self.longest)")
        }
        salt = try Secrets.random(16)
        guard let key = derive(from: password) else {
            throw AccessError("the password couldn't be hashed: there isn't enough memory (16 MiB); it wasn't changed")
        }
        self.key = key
    }

    /// `nil` if the text isn't such a hash, or one whose costs would keep a Pi busy.
    package init?(_ text: String) {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 5, parts[0].isEmpty, parts[1] == "scrypt" else { return nil }
        var costs: [Substring: UInt64] = [:]
        for cost in parts[2].split(separator: ",") {
            let sides = cost.split(separator: "=")
            guard sides.count == 2, let value = UInt64(sides[1]) else { return nil }
            costs[sides[0]] = value
        }
        guard let logN = costs["ln"], let r = costs["r"], let p = costs["p"], (10...16).contains(logN),
            (1...8).contains(r),
            (1...16).contains(p), let salt = Self.decode(parts[3]), let key = Self.decode(parts[4]),
            (4...64).contains(salt.count), (16...64).contains(key.count)
        else { return nil }
        (self.logN, self.r, self.p, self.salt, self.key) = (logN, r, p, salt, key)
    }

    package func matches(_ password: String) -> Bool {
        guard password.unicodeScalars.count <= Self.longest, let derived = derive(from: password) else { return false }
        return Secrets.areEqual(derived, key)
    }

    package var description: String {
        "$scrypt$ln=\(logN),r=\(r),p=\(p)$\(Self.encode(salt))$\(Self.encode(key))"
    }

    private func derive(from password: String) -> [UInt8]? {
        var derived = [UInt8](repeating: 0, count: key.isEmpty ? Self.keyBytes : key.count)
        let count = derived.count
        let text = password.utf8.map { CChar(bitPattern: $0) }
        let status = CCrypto_scrypt(
            text, text.count, salt, salt.count, 1 << logN, r, p, Self.maxMemory, &derived, count)
        return status == 0 ? derived : nil
    }

    private static func encode(_ bytes: [UInt8]) -> String {
        String(Base64.encode(bytes).prefix { $0 != "=" })
    }

    private static func decode(_ text: Substring) -> [UInt8]? {
        Base64.decode(text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4))
    }
}
