/// A code whose whole text is a secret, or that hides one in a form that isn't read further: only its purpose is shown.
package struct SecretPayload: Hashable, Sendable {
    package enum Format: String, CaseIterable, Hashable, Sendable {
        /// A key URI of a kind that isn't known, or `otpauth://` with something missing.
        case otp
        /// Every key of an authenticator, for another phone: `otpauth-migration://`.
        case otpMigration
        /// `WIFI:` with a password but without a name.
        case wifi
        /// Setup codes of smart homes: anyone who has one can take over the device. Matter (`MT:`), HomeKit (`X-HM://`), Z-Wave
        /// SmartStart (digits) and Zigbee (`Z:…$I:`).
        case matter, homeKit, zWave, zigbee
        /// An eSIM's activation code: `LPA:1$`.
        case eSIM
        /// PEM, age, or a WireGuard configuration.
        case privateKey
        /// A link with a password, in a scheme that isn't read further or within another text.
        case url
    }

    package var format: Format

    package init(format: Format) { self.format = format }
}
