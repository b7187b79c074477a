import CMosquitto

/// One connection to a broker, from looking its name up to the end; the next one is another client.
///
/// After a reconnect, libmosquitto sends its queue again, including what the journal would send again anyway. So a client that has lost its
/// connection is thrown away with its queue, and the caller sends again what had no receipt.
///
/// `@unchecked Sendable`: used by one thread at a time: by the connecting thread until it has returned, before and after that by the
/// output's event loop.
final class MQTTClient: @unchecked Sendable {
    struct Options: Sendable {
        var clientID: String
        /// 5 or 4 (MQTT 3.1.1).
        var protocolLevel: Int32
        var inFlight: Int
        var username: String?
        var password: String?
        var tls: TLS?
        var willTopic: String
        var willPayload: String
    }

    /// Files that are known to exist.
    struct TLS: Hashable, Sendable {
        var ca: String?
        var certificate: String?
        var key: String?
        var verify: Bool
    }

    /// How a library call ended: its status, and the system's error if there was one.
    struct Outcome: Hashable, Sendable {
        var status: Int32
        var systemError: Int32 = 0

        static let success = Outcome(status: Int32(CMOSQUITTO_SUCCESS.rawValue))
        static func system(_ code: Int32) -> Outcome {
            Outcome(status: Int32(CMOSQUITTO_ERRNO.rawValue), systemError: code)
        }
        var isSuccess: Bool { self == .success }
    }

    struct Publication: Sendable {
        var topic: String
        var payload: [UInt8]
        /// 0 or 1.
        var qos: Int32 = 1
        var isRetained = false
    }

    /// How many of the library's complaints are kept; then the oldest are dropped.
    static let complaintLimit = 8
    /// MQTT 3.1.1 by its number in the packet; 5 stands for MQTT 5.0.
    static let oldProtocol: Int32 = 4
    static let newProtocol: Int32 = 5

    let options: Options
    private var handle: OpaquePointer?
    private var notices: [MQTTNotice] = []
    /// What the library would have written into a log; OpenSSL's reasons are found nowhere else.
    private(set) var complaints: [String] = []

    init(_ options: Options) throws(DeliveryError) {
        self.options = options
        var callbacks = CMosquitto_Callbacks(
            context: nil, connected: mqttConnected, disconnected: mqttDisconnected, published: mqttPublished,
            subscribed: mqttSubscribed, received: mqttReceived, complained: mqttComplained)
        // Not retained: callbacks come only from within `step`, which has the client.
        callbacks.context = Unmanaged.passUnretained(self).toOpaque()
        handle = CMosquitto_create(
            options.clientID, options.protocolLevel, Int32(clamping: options.inFlight), &callbacks)
        guard let handle else {
            throw DeliveryError(.system, "cannot make an MQTT client with the id \"\(options.clientID)\"")
        }
        var status = CMosquitto_set_will(
            handle, options.willTopic, options.willPayload, options.willPayload.utf8.count)
        if status == 0, let username = options.username {
            status = CMosquitto_set_user(handle, username, options.password)
        }
        if status == 0, let tls = options.tls {
            status = CMosquitto_set_tls(handle, tls.ca, tls.certificate, tls.key, tls.verify)
        }
        guard status == 0 else {
            throw DeliveryError(.system, "cannot set up an MQTT client: \(Self.text(of: status))")
        }
    }

    deinit { CMosquitto_destroy(handle) }

    static func text(of status: Int32) -> String {
        var text = String(cString: CMosquitto_text(status))
        if text.hasSuffix(".") { text.removeLast() }
        return text
    }

    static func lookupText(of code: Int32) -> String { String(cString: CMosquitto_lookup_text(code)) }

    /// Whether the library would publish to it.
    static func isValidTopic(_ topic: String) -> Bool {
        !topic.utf8.contains(0) && CMosquitto_is_valid_topic(topic, topic.utf8.count)
    }

    /// Blocks while the name is looked up. `keepAlive`: whole seconds, 5…65,535.
    func connect(to route: MQTTRoute, port: Int, keepAlive: Int) -> Outcome {
        guard let handle else { return .success }
        return Outcome(
            CMosquitto_connect(
                handle, route.host, Int32(clamping: port), Int32(clamping: keepAlive), route.from))
    }

    /// -1: none.
    var socket: Int32 { handle.map { CMosquitto_socket($0) } ?? -1 }
    var wantsWrite: Bool { handle.map { CMosquitto_wants_write($0) } ?? false }

    /// Does what can be done without waiting, and keeps what came in for `takeNotices`.
    func step() -> Outcome {
        guard let handle else { return .success }
        return Outcome(CMosquitto_step(handle))
    }

    func takeNotices() -> [MQTTNotice] {
        let taken = notices
        notices = []
        return taken
    }

    /// The id that its `published` notice will have, or the status that says why it wasn't taken.
    func publish(_ publication: Publication) -> Result<Int32, MQTTStatus> {
        guard let handle else { return .failure(MQTTStatus(code: Int32(CMOSQUITTO_NO_CONNECTION.rawValue))) }
        var id: Int32 = 0
        let payload = publication.payload
        let status = payload.withUnsafeBytes {
            CMosquitto_publish(
                handle, publication.topic, $0.baseAddress, $0.count, publication.qos, publication.isRetained, &id)
        }
        return status == 0 ? .success(id) : .failure(MQTTStatus(code: status))
    }

    /// The id that its `subscribed` notice will have.
    func subscribe(to topic: String) -> Result<Int32, MQTTStatus> {
        guard let handle else { return .failure(MQTTStatus(code: Int32(CMOSQUITTO_NO_CONNECTION.rawValue))) }
        var id: Int32 = 0
        let status = CMosquitto_subscribe(handle, topic, &id)
        return status == 0 ? .success(id) : .failure(MQTTStatus(code: status))
    }

    /// A proper farewell: the broker doesn't send the will.
    func disconnect() {
        if let handle { _ = CMosquitto_disconnect(handle) }
    }

    fileprivate func add(_ notice: MQTTNotice) { notices.append(notice) }

    fileprivate func complain(_ text: String) {
        complaints.append(text)
        if complaints.count > Self.complaintLimit { complaints.removeFirst() }
    }
}

/// A status of the library that isn't success.
struct MQTTStatus: Error, Hashable {
    var code: Int32
    var text: String { MQTTClient.text(of: code) }
    var outcome: MQTTClient.Outcome { MQTTClient.Outcome(status: code) }

    /// The packet is larger than the broker said it takes, or than MQTT can say.
    var isOversize: Bool {
        code == Int32(CMOSQUITTO_OVERSIZE.rawValue) || code == Int32(CMOSQUITTO_PAYLOAD_SIZE.rawValue)
    }
}

extension MQTTClient.Outcome {
    fileprivate init(_ result: CMosquitto_Result) {
        self.init(status: result.status, systemError: result.system_error)
    }
}

// Called by the library, from within `step`, on the thread that called it.

private func client(_ context: UnsafeMutableRawPointer?) -> MQTTClient? {
    context.map { Unmanaged<MQTTClient>.fromOpaque($0).takeUnretainedValue() }
}

private func mqttConnected(_ context: UnsafeMutableRawPointer?, _ reason: Int32) {
    client(context)?.add(.connected(reason: reason))
}

private func mqttDisconnected(_ context: UnsafeMutableRawPointer?, _ reason: Int32) {
    client(context)?.add(.disconnected(reason: reason))
}

private func mqttPublished(_ context: UnsafeMutableRawPointer?, _ id: Int32, _ reason: Int32) {
    client(context)?.add(.published(id: id, reason: reason))
}

private func mqttSubscribed(_ context: UnsafeMutableRawPointer?, _ id: Int32, _ granted: Int32) {
    client(context)?.add(.subscribed(id: id, granted: granted))
}

private func mqttReceived(
    _ context: UnsafeMutableRawPointer?, _ topic: UnsafePointer<CChar>?, _ payload: UnsafeRawPointer?,
    _ length: Int, _ isRetained: Bool
) {
    guard let topic else { return }
    let bytes = Array(UnsafeRawBufferPointer(start: payload, count: payload == nil ? 0 : length))
    client(context)?.add(
        .received(MQTTMessage(topic: String(cString: topic), payload: bytes, isRetained: isRetained)))
}

private func mqttComplained(_ context: UnsafeMutableRawPointer?, _ text: UnsafePointer<CChar>?) {
    guard let text else { return }
    client(context)?.complain(String(cString: text))
}
