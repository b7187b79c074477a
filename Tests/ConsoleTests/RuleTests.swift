import Testing

@testable import Console

@Suite("Console: hosts and origins") struct RuleTests {
    private let rule = HostRule(ownNames: ["dock-1", "pi.lan"], names: ["console.example.com"])

    @Test(
        "IP addresses, localhost, own names with mDNS's numbers, and configured names",
        arguments: [
            "192.168.1.7", "192.168.1.7:8080", "[::1]", "[fe80::1%eth0]:8080", "[2001:db8::1]:80", "localhost",
            "LOCALHOST:8080",
            "dock-1.local", "DOCK-1.local:8080", "dock-1-2.local", "dock-1-17.local.", "pi.local",
            "console.example.com",
            "console.example.com:443",
        ])
    func allowed(_ host: String) { #expect(rule.allows(host)) }

    @Test(
        "everything else is a name that somebody else has pointed here",
        arguments: [
            "", "evil.example", "dock-1", "dock-1.local.evil.example", "dock-1-x.local", "dock-1-.local",
            "dock-1-2-3.local", ".local",
            "xdock-1.local", "localhost.evil.example", "192.168.1.7.evil.example", "192.168.1", "0x7f.1", "127.1",
            "[::1", "::1",
            "[dock-1.local]", "dock-1.local:x", "dock-1.local:80:80", "dock-1.local@evil", "console.example.com.evil",
            "192.168.1.07",
            "dock-1-99999.local", "[1::2::3]", "[12345::]", "[::1]x",
        ])
    func refused(_ host: String) { #expect(!rule.allows(host)) }

    @Test("without a name of its own, nothing in .local is ours")
    func nameless() {
        #expect(!HostRule(ownNames: [""]).allows("-1.local"))
        #expect(!HostRule().allows(nil))
    }

    /// Every combination of what a browser may say.
    @Test func `a write with a cookie needs the page's own origin, and nothing that contradicts it`() {
        let host = "dock-1.local:8080"
        let own = ["http://dock-1.local:8080", "https://dock-1.local:8080", "HTTP://DOCK-1.local:8080"]
        let foreign = [
            "http://dock-1.local", "http://dock-1.local:8081", "null", "", "http://evil.example",
            "http://dock-1.local:8080/", "file://",
        ]
        for fetchSite in [nil, "same-origin", "same-site", "cross-site", "none", "x"] as [String?] {
            for origin in own.map(Optional.some) + foreign.map(Optional.some) + [nil] {
                let headers = OriginRule.Headers(host: host, origin: origin, fetchSite: fetchSite)
                let saysOwn = origin.map(own.contains) ?? false
                let saysForeign = origin.map(foreign.contains) ?? false
                let mayWrite = !saysForeign && (fetchSite == "same-origin" || fetchSite == nil && saysOwn)
                #expect(OriginRule.isOwnPage(headers) == mayWrite, "\(headers)")
                let isForeign = saysForeign || (fetchSite != nil && fetchSite != "same-origin")
                #expect(OriginRule.isForeignPage(headers) == isForeign, "\(headers)")
            }
        }
        #expect(!OriginRule.isOwnPage(OriginRule.Headers(host: nil, origin: "http://", fetchSite: nil)))
        #expect(!OriginRule.isOwnPage(OriginRule.Headers(host: "", origin: "http://", fetchSite: nil)))
    }

    @Test("where it listens: without a password on the network only if somebody asks for that")
    func places() {
        // Without a password: the network if somebody asks for that; it then gets nothing but how to set one.
        for (option, station, hosts) in [
            (nil, nil, ["127.0.0.1"]), (.local, "network", ["127.0.0.1"]), (nil, "local", ["127.0.0.1"]),
            (nil, "nonsense", ["127.0.0.1"]), (nil, "network", ["::", "0.0.0.0"]),
            (.network, "local", ["::", "0.0.0.0"]),
            (.address(.v4([192, 168, 1, 7])), nil, ["192.168.1.7"]),
        ] as [(ListenPlan.Place?, String?, [String])] {
            let plan = ListenPlan(
                option: option, optionPort: nil, station: station, stationPort: nil, isPasswordSet: false)
            #expect(plan.hosts == hosts)
            #expect(plan.isLocal == (hosts == ["127.0.0.1"]))
        }
        func hosts(_ option: ListenPlan.Place?, _ station: String?) -> [String] {
            ListenPlan(option: option, optionPort: nil, station: station, stationPort: nil, isPasswordSet: true).hosts
        }
        #expect(hosts(nil, nil) == ["::", "0.0.0.0"])
        #expect(hosts(nil, "local") == ["127.0.0.1"])
        #expect(hosts(.local, "network") == ["127.0.0.1"])
        #expect(hosts(nil, "192.168.1.7") == ["192.168.1.7"])
        #expect(hosts(nil, "2001:db8::7") == ["2001:db8:0:0:0:0:0:7"])
        #expect(ListenPlan(option: nil, optionPort: 9, station: nil, stationPort: 10, isPasswordSet: false).port == 9)
        #expect(
            ListenPlan(option: nil, optionPort: nil, station: nil, stationPort: 10, isPasswordSet: false).port == 10)
        #expect(
            ListenPlan(option: nil, optionPort: nil, station: nil, stationPort: nil, isPasswordSet: false).port == 8080)
    }
}
