/// How to join a network: `WIFI:T:WPA;S:…;P:…;;` (WPA3 specification, section 7, and the older ZXing form).
package struct WiFiPayload: Hashable, Sendable {
    package enum Security: String, CaseIterable, Hashable, Sendable {
        case open
        case wep
        /// WPA, WPA2 or WPA3 with a passphrase.
        case wpa
        /// WPA3 only.
        case sae
        /// With a user name (802.1X).
        case eap
        /// An unknown `T`.
        case unknown
    }

    package struct Enterprise: Hashable, Sendable {
        /// EAP method (`TTLS`, `PEAP`…).
        package var method: String?
        /// Phase 2 method (`MSCHAPV2`…).
        package var phase2: String?
        package var identity: String?
        package var anonymousIdentity: String?

        package init(
            method: String? = nil, phase2: String? = nil, identity: String? = nil, anonymousIdentity: String? = nil
        ) {
            self.method = method
            self.phase2 = phase2
            self.identity = identity
            self.anonymousIdentity = anonymousIdentity
        }
    }

    /// The network's name; bytes that aren't UTF-8 show as U+FFFD, and `ssidBytes` has them.
    package var ssid: String
    /// 1…32 bytes; a longer name isn't valid and is listed in `problems`.
    package var ssidBytes: [UInt8]
    package var security: Security
    package var password: Secret?
    package var isHidden: Bool
    package var enterprise: Enterprise?
    /// SAE password identifier.
    package var passwordIdentifier: String?
    /// SAE-PK public key, base64.
    package var publicKey: String?
    /// Bits of WPA3's transition disable indication.
    package var transitionDisable: UInt8?
    package var problems: [String]

    package init(
        ssid: String, ssidBytes: [UInt8], security: Security, password: Secret? = nil, isHidden: Bool = false,
        enterprise: Enterprise? = nil, passwordIdentifier: String? = nil, publicKey: String? = nil,
        transitionDisable: UInt8? = nil, problems: [String] = []
    ) {
        self.ssid = ssid
        self.ssidBytes = ssidBytes
        self.security = security
        self.password = password
        self.isHidden = isHidden
        self.enterprise = enterprise
        self.passwordIdentifier = passwordIdentifier
        self.publicKey = publicKey
        self.transitionDisable = transitionDisable
        self.problems = problems
    }
}
