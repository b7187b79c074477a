/// Which MQTT is spoken to a broker: 5, unless it doesn't know that one.
///
/// A broker may say so, or, being old, close the connection at CONNECT and say nothing. The latter may just as well be a broker that
/// is being stopped: it counts when it happened twice in a row, and only until a connection that worked has ended. For 3.1.1 acknowledges
/// what a broker throws away for want of rights; with 5 the broker says so.
struct MQTTVersionChoice: Hashable, Sendable {
    private(set) var level = MQTTClient.newProtocol
    private var isRefused = false
    private var silentEnds = 0

    static let silentEndsBeforeTheOther = 2

    /// The broker says that it doesn't know this one. Whether there is another one to try.
    mutating func refused() -> Bool {
        guard level == MQTTClient.newProtocol else { return false }
        level = MQTTClient.oldProtocol
        isRefused = true
        return true
    }

    /// A connection ended by the other side; `wasAccepted`: after the broker's answer.
    mutating func ended(wasAccepted: Bool) {
        if wasAccepted {
            silentEnds = 0
            if !isRefused { level = MQTTClient.newProtocol }
        } else {
            silentEnds += 1
            guard silentEnds.isMultiple(of: Self.silentEndsBeforeTheOther) else { return }
            level = level == MQTTClient.newProtocol ? MQTTClient.oldProtocol : MQTTClient.newProtocol
        }
    }
}
