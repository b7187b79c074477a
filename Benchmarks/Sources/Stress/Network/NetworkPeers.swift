import Foundation

/// What the station of the network test delivers to, all of it beyond its router: two brokers, two hosts that it connects to, one
/// that connects to it, two web servers; each kind once by a name with one silent address, and once by IPv6 address.
final class NetworkPeers {
    private static let (nameBroker, literalBroker) = (1883, 1884)
    private static let (nameHost, literalHost) = (9100, 9101)
    private static let (nameWeb, literalWeb) = (8080, 8081)
    private static let station = 9200
    private static let inFlight = 20
    /// `ackTimeout` of the TCP outputs.
    static let ackTimeout = 2.0
    /// MQTT's `keepAlive`.
    static let keepAlive = 10.0
    /// The webhook's `timeout`.
    static let webTimeout = 5.0

    let outputs: [PeerOutput]
    private let brokers: [Broker]
    private let hosts: [ListeningHost]
    private let caller: CallingHost
    private let web: [WebPeer]

    init(_ network: TestNetwork, folder: String) throws {
        let (json, bytes, server) = (AnsweringHost(.json), AnsweringHost(.bytes), AnsweringHost(.json))
        let (posted, postedByAddress) = (DeliveryRecord(), DeliveryRecord())
        brokers = try [("name", "name/scan", Self.nameBroker), ("literal", "literal/scan", Self.literalBroker)].map {
            let place = "\(folder)/broker-\($0.0)"
            try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
            let broker = try Broker(folder: place, topic: $0.1, network: (network.hosts, $0.2))
            try broker.start()
            try broker.subscribe()
            return broker
        }
        hosts = try [(Self.nameHost, json), (Self.literalHost, bytes)].map { port, host in
            ListeningHost(try network.hosts.inside { try Dual.listen(port) }) { host.serve($0) }
        }
        web = try [(Self.nameWeb, posted), (Self.literalWeb, postedByAddress)].map { port, record in
            let listener = try network.hosts.inside { try Dual.listen(port) }
            return WebPeer((listener, port)) { record.add(json: $0) }
        }
        caller = CallingHost(server, to: network, port: Self.station)
        // While no answer comes, JSON is sent again on the same connection, and the kernel keeps all of it.
        outputs = [
            PeerOutput("mqtt", .four, brokers[0].record, atOnce: Self.inFlight, silence: 30, idle: 2 * Self.keepAlive),
            PeerOutput("mqtt-6", .six, brokers[1].record, atOnce: Self.inFlight, silence: 30, idle: 2 * Self.keepAlive),
            PeerOutput("tcp", .four, json.record, again: Self.ackTimeout, silence: Self.ackTimeout, idle: 30),
            PeerOutput("tcp-6", .six, bytes.record, silence: Self.ackTimeout, idle: 30),
            PeerOutput("server", nil, server.record, again: Self.ackTimeout, silence: Self.ackTimeout, idle: 30),
            PeerOutput("webhook", .four, posted, silence: Self.webTimeout),
            PeerOutput("webhook-6", .six, postedByAddress, silence: Self.webTimeout),
        ]
    }

    /// Written as users do. `receipt` of the TCP outputs: `ack`, or `written` as a mutation.
    static func configuration(receipt: String) -> String {
        let (named, literal) = (TestNetwork.names, TestNetwork.literal)
        let answer = "receipt: \(receipt), ackTimeout: \(Int(ackTimeout))s"
        let mqtt = "keepAlive: \(Int(keepAlive))s, inFlight: \(inFlight), discovery: off"
        let web = "timeout: \(Int(webTimeout))s"
        return """
            outputs:
              - mqtt: {host: \(named[0]), port: \(nameBroker), topic: name, \(mqtt)}
                name: mqtt
              - mqtt: {host: '\(literal)', port: \(literalBroker), topic: literal, \(mqtt)}
                name: mqtt-6
              - tcp: {role: client, host: \(named[1]), port: \(nameHost), lines: json, \(answer)}
                name: tcp
              - tcp: {role: client, host: '\(literal)', port: \(literalHost), lines: template, template: '<STX>{seq} {id} {text}<LF>', \(answer)}
                name: tcp-6
              - tcp: {role: server, host: '::', port: \(station), lines: json, \(answer)}
                name: server
              - webhook: {url: 'http://\(named[2]):\(nameWeb)/scans', \(web)}
                name: webhook
              - webhook: {url: 'http://[\(literal)]:\(literalWeb)/scans', \(web)}
                name: webhook-6

            """
    }

    func end() {
        caller.end()
        for peer in web { peer.end() }
        for host in hosts { host.end() }
        for broker in brokers { broker.end() }
    }
}

/// One output of the station, its other end, and what the station promises about it.
struct PeerOutput: Sendable {
    let name: String
    /// The only family in which its other end can be reached; `nil`: both.
    let family: TestNetwork.Family?
    let record: DeliveryRecord
    /// Scans under way at once.
    let atOnce: Int
    /// How often, in seconds, a scan without an answer is sent again on the same connection.
    let again: Double?
    /// With scans under way, how many seconds after the network has silently gone its state stops being `ready`.
    let silence: Double
    /// The same while nothing is under way; `nil`: then nothing is open that could be lost.
    let idle: Double?

    init(
        _ name: String, _ family: TestNetwork.Family?, _ record: DeliveryRecord, atOnce: Int = 1, again: Double? = nil,
        silence: Double, idle: Double? = nil
    ) {
        self.name = name
        self.family = family
        self.record = record
        self.atOnce = atOnce
        self.again = again
        self.silence = silence
        self.idle = idle
    }
}
