/// One kind of output: what the station must know about its settings before the output is made. A new kind is a type that
/// conforms to this, a case of `OutputSettings.Kind`, its keys in the configuration's schema, and its output in Delivery.
package protocol OutputKind: Hashable, Sendable {
    /// Its key in the configuration, and the name of an output without one.
    static var key: String { get }
    /// Its page below `docs/outputs`, without `.md`.
    static var page: String { get }
    /// What a person can look at when its receiver takes nothing: "check the cable and outputs.serial.device".
    static var receiverAdvice: String { get }
    /// For the example configuration. New settings start as this sample and get their required keys from the file.
    static var sample: Self { get }
    /// What it is, in a sentence: for the configuration's example and the console.
    static var what: String { get }
    /// An item of `outputs:` that a person can begin with, as YAML.
    static var starter: String { get }
    /// Whether the journal keeps a scan for this kind of output by default. It doesn't for one that only a person looks at or types into.
    static var isUsuallyRequired: Bool { get }
    static var usualDelivery: DeliveryMode { get }

    var kind: OutputSettings.Kind { get }
    /// What only one output of a station can use, and the key that names it, below the kind's own key (empty: the kind itself).
    var exclusive: (what: String, key: String)? { get }
    /// Where scans go, for people; no passwords, and nothing that may hold one. `nil`: the kind says it.
    var place: String? { get }
    /// Files, devices and sockets that it names.
    var files: [OutputFile] { get }
    /// Clients that may be connected at once.
    var clientLimit: Int { get }
    /// For kinds that write events as lines.
    var lineFormat: LineFormat? { get }
    /// For kinds that can be encrypted, if encryption is switched on.
    var transportSecurity: TLSSettings? { get }
}

extension OutputKind {
    package static var page: String { key }
    package static var usualDelivery: DeliveryMode { .durable }
    package var exclusive: (what: String, key: String)? { nil }
    package var place: String? { nil }
    package var files: [OutputFile] { [] }
    package var clientLimit: Int { 0 }
    package var lineFormat: LineFormat? { nil }
    package var transportSecurity: TLSSettings? { nil }
}

/// A file, device or socket that an output's settings name.
package struct OutputFile: Hashable, Sendable {
    package enum Use: Hashable, Sendable {
        case read
        /// Read, and useful to nobody else: a key, a password.
        case secret
        case device
        case socket
        /// Written; when it is full, it is moved aside to `PATH.1` … `PATH.kept`.
        case written(kept: Int)
    }

    /// Below the kind's own key: `tls.ca`.
    package var key: String
    package var path: String
    package var use: Use

    /// `nil`: nothing is named.
    package init?(_ key: String, _ path: String?, _ use: Use) {
        guard let path else { return nil }
        self.key = key
        self.path = path
        self.use = use
    }
}
