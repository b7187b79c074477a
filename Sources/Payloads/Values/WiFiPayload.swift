/// How to join a network: `WIFI:T:WPA;S:…;P:…;;` (WPA3 specification, section 7, and the older ZXing form).
public struct WiFiPayload: Hashable, Sendable {
    public enum Security: String, CaseIterable, Hashable, Sendable {
        case open
        case wep
        /// WPA, WPA2 or WPA3 with a passphrase.
        case wpa
        /// WPA3 only.
        case sae
        /// With a user of its own (802.1X).
        case eap
        /// A `T` that isn't known.
        case unknown
    }

    public struct Enterprise: Hashable, Sendable {
        /// EAP method (`TTLS`, `PEAP`…).
        public var method: String?
        /// Phase 2 method (`MSCHAPV2`…).
        public var phase2: String?
        public var identity: String?
        public var anonymousIdentity: String?

        public init(
            method: String? = nil, phase2: String? = nil, identity: String? = nil, anonymousIdentity: String? = nil
        ) {
            self.method = method
            self.phase2 = phase2
            self.identity = identity
            self.anonymousIdentity = anonymousIdentity
        }
    }

    /// The network's name; bytes that aren't UTF-8 show as U+FFFD, and `ssidBytes` has them.
    public var ssid: String
    /// 1…32 bytes; what is longer is no network's name, and one of `problems`.
    public var ssidBytes: [UInt8]
    public var security: Security
    public var password: Secret?
    public var isHidden: Bool
    public var enterprise: Enterprise?
    /// SAE password identifier.
    public var passwordIdentifier: String?
    /// SAE-PK public key, base64.
    public var publicKey: String?
    /// Bits of WPA3's transition disable indication.
    public var transitionDisable: UInt8?
    public var problems: [String]

    public init(
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
