import Foundation
import Synchronization
import TestSupport

/// Three networks: the station's, its receivers', and a router in between, which can silently lose packets.
///
/// ```
/// station eth0 ────── station  router  hosts ────── eth0 hosts
/// 10.77.1.2           10.77.1.1    10.77.2.1        10.77.2.2, then .3   which names lead to
/// fd77:1::2           fd77:1::1    fd77:2::1        fd77:2::2            which is used as it is
///                                                   10.77.2.9, fd77:2::9 the name server
/// ```
/// Every name also leads to an IPv6 address from which nothing ever comes back.
final class TestNetwork: Sendable {
    static let names = ["broker.test", "stock.test", "web.test"]
    static let literal = "fd77:2::2"
    private static let silent = "fd77:2::dead"

    let station: NetworkNamespace
    let router: NetworkNamespace
    let hosts: NetworkNamespace
    private let folder: String

    private struct State {
        /// The last parts of addresses that change.
        var stationNumber = 2
        var hostNumber = 2
        var nameServer: ChildProcess?
    }

    private let state = Mutex(State())

    init(folder: String) throws {
        self.folder = folder
        let log = folder + "/ip.log"
        station = try NetworkNamespace(
            "station",
            files: [
                "resolv.conf": "nameserver 10.77.2.9\nnameserver fd77:2::9\n",
                "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files dns\n",
                "hosts": "127.0.0.1 localhost\n::1 localhost\n",
            ], log: log)
        router = try NetworkNamespace("router", log: log)
        hosts = try NetworkNamespace("hosts", log: log)
        try router.set("ipv6/conf/all/keep_addr_on_down", 1)
        try router.set("ipv6/conf/default/keep_addr_on_down", 1)
        try router.ip("link add station type veth peer name eth0 netns \(station.name)")
        try router.ip("link add hosts type veth peer name eth0 netns \(hosts.name)")
        for (link, number) in [("station", 1), ("hosts", 2)] {
            try router.ip("address add 10.77.\(number).1/24 dev \(link)")
            try router.ip("address add fd77:\(number)::1/64 dev \(link) nodad")
            try router.ip("link set \(link) up")
        }
        try router.ip("route add blackhole \(Self.silent)/128")
        try hosts.ip("link set eth0 up")
        for number in [2, 9] {
            try hosts.ip("address add 10.77.2.\(number)/24 dev eth0")
            try hosts.ip("address add fd77:2::\(number)/64 dev eth0 nodad")
        }
        try hosts.ip("route add default via 10.77.2.1")
        try hosts.ip("route add default via fd77:2::1")
        try setForwarding(true)
        try connectStation()
        try startNameServer()
    }

    func end() { state.withLock { $0.nameServer }?.end(SIGTERM) }

    /// Where clients of the station may find it.
    var stationAddresses: [String] {
        let number = state.withLock { $0.stationNumber }
        return ["fd77:1::\(number)", "10.77.1.\(number)"]
    }

    // MARK: The station's network

    /// As a network manager does when a network appears.
    func connectStation() throws {
        try station.ip("link set eth0 up")
        try give(.four)
        try give(.six)
    }

    /// As if there had never been one.
    func disconnectStation() throws {
        try station.ip("link set eth0 down")
        try station.ip("address flush dev eth0")
    }

    enum Family: CaseIterable { case four, six }

    func give(_ family: Family) throws {
        try station.ip("address add \(stationAddress(family)) dev eth0")
        try giveRoute(family)
    }

    /// Routes through it go with it, except IPv6's default route.
    func take(_ family: Family) throws {
        try station.ip("address delete \(stationAddress(family)) dev eth0")
        if family == .six { try takeRoute(.six) }
    }

    func giveRoute(_ family: Family) throws {
        try station.ip("route add default via \(family == .four ? "10.77.1.1" : "fd77:1::1") dev eth0")
    }

    func takeRoute(_ family: Family) throws {
        try station.ip("\(family == .four ? "-4" : "-6") route delete default dev eth0")
    }

    private func stationAddress(_ family: Family) -> String {
        let number = state.withLock { $0.stationNumber }
        return family == .four ? "10.77.1.\(number)/24" : "fd77:1::\(number)/64"
    }

    /// Another address of each family.
    func moveStation() throws {
        for family in Family.allCases { try take(family) }
        state.withLock { $0.stationNumber = $0.stationNumber % 8 + 2 }
        for family in Family.allCases { try give(family) }
    }

    // MARK: On the way

    /// The plug at the router's end: the station's interface says that it has no carrier.
    func plug(_ isIn: Bool) throws { try router.ip("link set station \(isIn ? "up" : "down")") }

    /// Without it the router takes every packet, and nothing comes out again.
    func setForwarding(_ isOn: Bool) throws {
        try router.set("ipv4/ip_forward", isOn ? 1 : 0)
        try router.set("ipv6/conf/all/forwarding", isOn ? 1 : 0)
    }

    /// What the hosts say is lost; what the station says arrives.
    func loseAnswers(_ isLost: Bool) throws {
        let word = isLost ? "add" : "delete"
        for address in ["10.77.1.0/25", "10.77.1.128/25", "fd77:1::/65"] {
            try router.ip("route \(word) blackhole \(address)")
        }
    }

    func setPacketSize(_ bytes: Int) throws {
        try router.ip("link set hosts mtu \(bytes)")
    }

    // MARK: Names

    /// The hosts get another address, and the names lead there.
    func moveHosts() throws {
        let old = state.withLock { $0.hostNumber }
        let new = old == 2 ? 3 : 2
        try hosts.ip("address add 10.77.2.\(new)/24 dev eth0")
        // The name server's answers come from an address that stays, wherever the first one goes.
        try hosts.set("ipv4/conf/eth0/promote_secondaries", 1)
        try hosts.ip("address delete 10.77.2.\(old)/24 dev eth0")
        let server = state.withLock { state in
            state.hostNumber = new
            return state.nameServer
        }
        try writeNames()
        if let server { kill(server.pid, SIGHUP) }
    }

    private var namesFile: String { folder + "/names" }

    private func writeNames() throws {
        let number = state.withLock { $0.hostNumber }
        let names = Self.names.joined(separator: " ")
        try "10.77.2.\(number) \(names)\n\(Self.silent) \(names)\n"
            .write(toFile: namesFile, atomically: true, encoding: .utf8)
    }

    private func startNameServer() throws {
        guard let program = Spawn.find("dnsmasq") else {
            throw BenchmarkFailure(
                "this needs the name server dnsmasq, and it isn't installed: deploy/install-dependencies --tests, or apt-get "
                    + "install dnsmasq-base")
        }
        try writeNames()
        let log = folder + "/dnsmasq.log"
        let command =
            hosts.launcher + [
                program, "--keep-in-foreground", "--conf-file=/dev/null", "--no-resolv", "--no-hosts", "--local-ttl=0",
                "--addn-hosts=\(namesFile)", "--listen-address=10.77.2.9,fd77:2::9", "--bind-interfaces", "--user=root",
                "--pid-file=\(folder)/dnsmasq.pid", "--log-facility=-",
            ]
        let server = try ChildProcess(command[0], Array(command.dropFirst()), log: log)
        state.withLock { $0.nameServer = server }
    }
}
