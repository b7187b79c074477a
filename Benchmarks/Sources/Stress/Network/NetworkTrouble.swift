/// What happens to a station's network.
enum NetworkTrouble: String, CaseIterable, Sendable {
    case cableOut, cableOutLong
    case silence, silenceLong
    /// Nothing is scanned meanwhile: connections are open and quiet.
    case silenceIdle
    /// What the hosts say is lost.
    case answersLost
    case newAddress, noRoute
    case onlyIPv6, onlyIPv4
    case smallPackets
    /// Another address behind the same name.
    case hostsMoved
    /// The station is killed, and starts while there is no network.
    case killedWithoutNetwork

    var words: String {
        switch self {
        case .cableOut: "cable out"
        case .cableOutLong: "cable out, long"
        case .silence: "packets lost"
        case .silenceLong: "packets lost, long"
        case .silenceIdle: "packets lost, idle"
        case .answersLost: "answers lost"
        case .newAddress: "another address"
        case .noRoute: "default route gone"
        case .onlyIPv6: "IPv6 only"
        case .onlyIPv4: "IPv4 only"
        case .smallPackets: "MTU 1280"
        case .hostsMoved: "hosts moved"
        case .killedWithoutNetwork: "killed, no network"
        }
    }

    /// How long it lasts: less than what a connection survives (30 s without an answer), or more.
    var seconds: ClosedRange<Double> {
        switch self {
        case .cableOut, .silence, .answersLost: 2...8
        case .cableOutLong, .silenceLong: 33...42
        case .silenceIdle: 36...37
        case .newAddress: 0.2...1.5
        case .noRoute, .onlyIPv6, .onlyIPv4, .smallPackets, .killedWithoutNetwork: 3...8
        case .hostsMoved: 0.1...0.5
        }
    }

    /// Whether an output delivers all the while.
    func spares(_ output: PeerOutput) -> Bool {
        switch self {
        case .smallPackets: true
        case .onlyIPv4: output.family == .four
        case .onlyIPv6: output.family == .six
        default: false
        }
    }

    /// How many seconds after its end every output must deliver new scans and everything before them, and why.
    var limit: (seconds: Double, why: String) {
        switch self {
        case .cableOut, .cableOutLong, .newAddress, .noRoute, .onlyIPv6, .onlyIPv4, .smallPackets,
            .killedWithoutNetwork:
            // The changes of a second are gathered, then everything is tried at once; a name server is asked again after 5 s.
            (10, "the kernel tells: 1 s, a name 5 s")
        case .silence, .silenceLong, .silenceIdle, .answersLost:
            // Between two attempts 12 s, of which each knocks after 1, 3, 7 s and may end a moment too early (20 s, MQTT).
            (25, "nothing tells: an attempt, and 12 s to the next")
        case .hostsMoved:
            // 30 s until a connection whose other end is gone is given up; then as above.
            (45, "nothing tells: 30 s until a connection is given up, then an attempt")
        }
    }

    func begin(_ network: TestNetwork) throws {
        switch self {
        case .cableOut, .cableOutLong: try network.plug(false)
        case .silence, .silenceLong, .silenceIdle: try network.setForwarding(false)
        case .answersLost: try network.loseAnswers(true)
        case .newAddress: try network.moveStation()
        case .noRoute: for family in TestNetwork.Family.allCases { try network.takeRoute(family) }
        case .onlyIPv6: try network.take(.four)
        case .onlyIPv4: try network.take(.six)
        case .smallPackets: try network.setPacketSize(1280)
        case .hostsMoved: try network.moveHosts()
        case .killedWithoutNetwork: try network.disconnectStation()
        }
    }

    func end(_ network: TestNetwork) throws {
        switch self {
        case .cableOut, .cableOutLong: try network.plug(true)
        case .silence, .silenceLong, .silenceIdle: try network.setForwarding(true)
        case .answersLost: try network.loseAnswers(false)
        case .newAddress, .hostsMoved: break
        case .noRoute: for family in TestNetwork.Family.allCases { try network.giveRoute(family) }
        case .onlyIPv6: try network.give(.four)
        case .onlyIPv4: try network.give(.six)
        case .smallPackets: try network.setPacketSize(1500)
        case .killedWithoutNetwork: try network.connectStation()
        }
    }
}
