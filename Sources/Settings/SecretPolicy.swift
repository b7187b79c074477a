/// What becomes of passwords and one-time-password secrets at one output.
package enum SecretPolicy: String, CaseIterable, Hashable, Sendable {
    /// The parsed payload shows them if the station is set to (`payloads.revealSecrets`), else `(redacted)`. Text and bytes are the code's
    /// own.
    case asConfigured
    /// The parsed payload shows them.
    case revealed
    /// For logs and outputs that many read: `(redacted)`, and the text and bytes of a code with a secret are left out
    /// (`text` is null, `bytes` empty).
    case withheld
}
