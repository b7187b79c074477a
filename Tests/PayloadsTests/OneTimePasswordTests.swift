import Testing

@testable import Payloads

@Suite("One-time passwords")
struct OneTimePasswordTests {
    @Test("A time-based key with its defaults")
    func totp() throws {
        let otp = try #require(
            payload("otpauth://totp/ACME%20Co:john@example.com?secret=HXDMVJECJJWSRB3HWIZR4IFUGFTMXBOZ").otp)
        #expect(otp.method == .totp)
        #expect(otp.issuer == "ACME Co")
        #expect(otp.account == "john@example.com")
        #expect(otp.secret?.reveal() == "HXDMVJECJJWSRB3HWIZR4IFUGFTMXBOZ")
        #expect(otp.algorithm == "SHA1")
        #expect(otp.digits == 6)
        #expect(otp.periodSeconds == 30)
        #expect(otp.counter == nil)
        #expect(otp.problems.isEmpty)
    }

    @Test("A counter-based key with everything said")
    func hotp() throws {
        let otp = try #require(
            payload(
                "OTPAUTH://HOTP/me?issuer=Big+Corp&secret=MFRA&algorithm=sha256&digits=8&counter=18446744073709551615"
            ).otp)
        #expect(otp.method == .hotp)
        #expect(otp.issuer == "Big Corp")
        #expect(otp.account == "me")
        #expect(otp.algorithm == "SHA256")
        #expect(otp.digits == 8)
        #expect(otp.counter == .max)
        #expect(otp.periodSeconds == nil)
        #expect(otp.problems.isEmpty)
    }

    @Test(
        "What isn't right is said",
        arguments: [
            "totp/a", "totp/a?secret=0189", "totp/a?secret=MFRA&digits=99", "totp/a?secret=MFRA&period=-1",
            "totp/a?secret=MFRA&algorithm=MD4", "hotp/a?secret=MFRA",
        ])
    func problems(rest: String) { #expect(payload("otpauth://" + rest).otp?.problems.count == 1) }

    @Test("Another type is text", arguments: ["otpauth://steam/a", "otpauth://", "otpauth:totp/a"])
    func unknown(text: String) { #expect(payload(text) == .text) }

    @Test("The secret isn't printed")
    func redaction() {
        let otp = payload("otpauth://totp/a?secret=MFRAMFRAMFRA")
        #expect(otp.holdsSecret)
        #expect(!"\(otp)".contains("MFRAMFRA"))
        #expect("\(otp)".contains(Secret.redacted))
    }
}
