/// What libmosquitto had to say during one step, in order.
enum MQTTNotice: Hashable, Sendable {
    /// The broker's answer to CONNECT; 0: yes.
    case connected(reason: Int32)
    /// From 128 on the broker's reason (MQTT 5), else a status of the library.
    case disconnected(reason: Int32)
    /// PUBACK; from 128 on the broker didn't take it.
    case published(id: Int32, reason: Int32)
    case subscribed(id: Int32, granted: Int32)
    case received(MQTTMessage)
}

/// A message that came from the broker.
struct MQTTMessage: Hashable, Sendable {
    var topic: String
    var payload: [UInt8]
    /// It was kept by the broker from an earlier time.
    var isRetained: Bool
}
