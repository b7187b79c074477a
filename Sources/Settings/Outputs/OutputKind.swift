/// One kind of output: what the station has to know of its settings before the output is made. A new kind is a type that
/// conforms to this, a case of `OutputSettings.Kind`, its keys in the configuration's schema, and its output in Delivery.
package protocol OutputKind: Hashable, Sendable {
    /// Its key in the configuration; also the name of an output that has none.
    static var key: String { get }
    /// For the example configuration; new settings start as it, and get what is required from the file.
    static var sample: Self { get }
    /// Whether the journal keeps a scan for such an output unless told otherwise. What a person looks at or types into doesn't count.
    static var isUsuallyRequired: Bool { get }
    static var usualDelivery: DeliveryMode { get }

    var kind: OutputSettings.Kind { get }
    /// What only one output of a station can have, and the key that names it, below the kind's own (empty: the kind itself).
    var exclusive: (what: String, key: String)? { get }
    /// Files, devices and sockets that it names.
    var files: [OutputFile] { get }
    /// Clients that may be connected at once.
    var clientLimit: Int { get }
    /// Of kinds that write events as lines.
    var lineFormat: LineFormat? { get }
    /// Of kinds that can be encrypted, once it is asked for.
    var transportSecurity: TLSSettings? { get }
}

extension OutputKind {
    package static var usualDelivery: DeliveryMode { .durable }
    package var exclusive: (what: String, key: String)? { nil }
    package var files: [OutputFile] { [] }
    package var clientLimit: Int { 0 }
    package var lineFormat: LineFormat? { nil }
    package var transportSecurity: TLSSettings? { nil }
}

/// A file, device or socket that an output's settings name.
package struct OutputFile: Hashable, Sendable {
    package enum Use: Hashable, Sendable {
        case read
        /// Read, and of no use to anybody else: a key, a password.
        case secret
        case device
        case socket
        /// Written; moved aside to `PATH.1` up to `PATH.kept` when it is full.
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
