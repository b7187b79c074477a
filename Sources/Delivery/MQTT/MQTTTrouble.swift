/// Why there is no connection to the broker, in words that a person can act on.
struct MQTTTrouble: Error, Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        /// May pass by itself: tried again soon.
        case passing
        /// The broker refuses us as we are, or two clients fight over one id: only a person can fix that, and attempts fill the broker's
        /// log. Tried again after longer waits.
        case refusal
    }

    var kind: Kind
    var message: String
}
