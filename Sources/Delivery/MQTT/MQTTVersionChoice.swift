/// Which MQTT version to speak to a broker: 5, unless the broker doesn't know it.
///
/// A broker may say so, or an old one may close the connection at CONNECT without a word. A broker that is being stopped does the same, so
/// this counts only when it happens twice in a row, and only until a connection that worked has ended. The difference matters: when rights
/// are missing, a broker with 3.1.1 acknowledges a message and throws it away; with 5 it says so.
struct MQTTVersionChoice: Hashable, Sendable {
    private(set) var level = MQTTClient.newProtocol
    private var isRefused = false
    private var silentEnds = 0

    static let silentEndsBeforeTheOther = 2

    /// The broker says that it doesn't know this version. Returns whether there is another one to try.
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
