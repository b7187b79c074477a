/// Why there is no connection to the broker, in words a person can act on.
struct MQTTTrouble: Error, Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        /// May pass by itself: tried again soon.
        case passing
        /// The broker doesn't want us as we are, or two clients fight for one id: only a person changes that, and attempts
        /// fill the broker's log. Tried again after longer waits.
        case refusal
    }

    var kind: Kind
    var message: String
}
