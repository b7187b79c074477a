import ConsoleAccess
import TestSupport
import Testing
import Wire

@testable import Console

@Suite("Console server", .timeLimit(.minutes(10)))
struct ServerTests {
    @Test(
        "a password closes no door: it is listened elsewhere only if the place is another, and where that fails, at the old one"
    )
    func listening() async throws {
        let console = try await TestConsole()
        func plan(_ address: String, _ isPasswordSet: Bool = true) -> ListenPlan {
            ListenPlan(
                option: ListenPlan.Place(address), optionPort: 0, station: nil, stationPort: nil,
                isPasswordSet: isPasswordSet)
        }
        let port = await console.listener.port
        try await console.listener.listen(plan("local"), mayMove: false)
        #expect(await console.listener.openings == 1)
        #expect(await console.listener.current?.isPasswordSet == true)
        try await console.listener.listen(plan("0.0.0.0"), mayMove: false)
        #expect(await console.listener.openings == 2)
        #expect(await console.listener.port == port)
        #expect(await console.browser.api("GET", "/session").status == 200)
        // RFC 5737: nobody has this address.
        await #expect(throws: ConsoleListener.Failure.self) {
            try await console.listener.listen(plan("192.0.2.1"), mayMove: false)
        }
        #expect(await console.listener.current == plan("0.0.0.0"))
        #expect(await console.browser.api("GET", "/session").status == 200)
        await console.end()
    }

    @Test("a link lets one browser in; its cookie counts; signing out ends it")
    func session() async throws {
        let console = try await TestConsole()
        let browser = await console.browser
        let before = await browser.api("GET", "/session")
        #expect(before.json["signedIn"] == false)
        #expect(before.json["passwordSet"] == false)
        #expect(before.json["station"] == "dock-1")
        let link = before.json["commands"]?["link"]?.stringValue
        #expect(link?.hasSuffix("scanstation console link") == true)
        // Through a proxy somebody else may ask: where the program is, isn't told.
        let asked = "GET /api/v1/session HTTP/1.1\r\nHost: dock-1.local\r\nConnection: close\r\n\r\n"
        let told = await browser.send(Array(asked.utf8)).json["commands"]
        #expect(told?["link"] == "scanstation console link" && told?["terminal"] == true)
        let key = try await console.gatekeeper.makeLink()
        let signedIn = await browser.api("POST", "/session", ["key": .string(key)])
        #expect(signedIn.status == 204)
        let cookie = try #require(signedIn.fields["set-cookie"])
        for word in ["HttpOnly", "SameSite=Strict", "Path=/"] { #expect(cookie.contains(word)) }
        #expect(!cookie.contains("Secure"))
        #expect(await browser.api("GET", "/session").json["scopes"] == ["view", "preview", "operate", "manage"])
        let again = await console.browser.api("POST", "/session", ["key": .string(key)])
        #expect(again.status == 401)
        #expect(again.code == "wrongKey")
        let copy = await console.browser
        copy.cookie.change { $0 = browser.cookie.value }
        #expect(await browser.api("DELETE", "/session").status == 204)
        #expect(await copy.api("GET", "/state").status == 401)
        await console.end()
    }

    @Test("the password: set once by somebody signed in, then needed; the others are signed out, and links are void")
    func password() async throws {
        let console = try await TestConsole()
        let owner = try await console.owner()
        let other = try await console.owner()
        let link = try await console.gatekeeper.makeLink()
        #expect(await owner.api("PUT", "/password", ["password": "short"]).code == "badPassword")
        #expect(await owner.api("PUT", "/password", ["password": "correct horse"]).status == 204)
        #expect(console.passwordChanges.value == 1)
        #expect(await owner.api("GET", "/state").status == 200)
        #expect(await other.api("GET", "/state").status == 401)
        let browser = await console.browser
        #expect(await browser.api("POST", "/session", ["key": .string(link)]).status == 401)
        #expect(await browser.api("POST", "/session", ["password": "wrong horse"]).code == "wrongPassword")
        #expect(await browser.api("POST", "/session", ["password": "correct horse"]).status == 204)
        #expect(await browser.api("PUT", "/password", ["password": "another horse"]).status == 403)
        #expect(
            await browser.api("PUT", "/password", ["password": "another horse", "old": "wrong"]).code == "wrongPassword"
        )
        #expect(
            await browser.api("PUT", "/password", ["password": "another horse", "old": "correct horse"]).status == 204)
        await console.end()
    }

    @Test("guessing is slowed down, and says how long to wait")
    func guessing() async throws {
        let console = try await TestConsole()
        let owner = try await console.owner()
        _ = await owner.api("PUT", "/password", ["password": "correct horse"])
        let browser = await console.browser
        var statuses: [Int] = []
        var last = Browser.Answer([])
        for number in 0..<7 {
            last = await browser.api("POST", "/session", ["password": .string("guess number \(number)")])
            statuses.append(last.status)
        }
        #expect(statuses.prefix(5) == [401, 401, 401, 401, 401])
        #expect(statuses.suffix(2) == [429, 429])
        #expect((last.fields["retry-after"].flatMap { Int($0) } ?? 0) > 0)
        await console.end()
    }

    @Test("a password that somebody set on the command line signs everybody out")
    func commandLine() async throws {
        let console = try await TestConsole()
        let owner = try await console.owner()
        #expect(await console.gatekeeper.noticePassword() == false)
        try PasswordFile(ConsoleFolder(console.folder.file("state"))).write(try PasswordHash(password: "correct horse"))
        #expect(await console.gatekeeper.noticePassword())
        #expect(await console.gatekeeper.noticePassword() == false)
        #expect(await owner.api("GET", "/state").status == 401)
        await console.end()
    }

    @Test("each route wants its scope, and nothing without one", arguments: Scope.allCases)
    func scopes(_ scope: Scope) async throws {
        let console = try await TestConsole()
        let browser = await console.browser
        let token = try await console.token([scope])
        for route in RouteTable.routes {
            let path = route.path.replacing("{id}", with: "scan-1").replacing("{name}", with: "stock")
            guard case .scope(let wanted) = route.access, route.operation != .streamEvents else { continue }
            #expect(await browser.api(route.method, path, [:]).status == 401, "\(route)")
            let answer = await browser.api(route.method, path, [:], token)
            if wanted == scope {
                #expect(![401, 403].contains(answer.status), "\(route): \(answer.message)")
            } else {
                #expect(answer.status == 403, "\(route)")
                #expect(answer.code == "scope")
                #expect(answer.message.contains(wanted.rawValue))
            }
        }
        await console.end()
    }

    @Test("a write with a cookie comes from the console's own page, or does nothing")
    func origins() async throws {
        let console = try await TestConsole()
        let owner = try await console.owner()
        let torch: JSONValue = ["command": "torch", "mode": "on"]
        for fields in [
            ["Origin": ""], ["Origin": "http://evil.example"], ["Origin": "http://127.0.0.1:1"], ["Origin": "null"],
            ["Origin": "", "Sec-Fetch-Site": "same-site"], ["Sec-Fetch-Site": "cross-site"],
        ] {
            let answer = await owner.api("POST", "/commands", torch, fields)
            #expect(answer.status == 403, "\(fields)")
            #expect(answer.code == "foreignPage")
        }
        #expect(console.station.asked("torch") == 0)
        #expect(await owner.api("POST", "/commands", torch).status == 200)
        #expect(
            await owner.api("POST", "/commands", torch, ["Origin": "", "Sec-Fetch-Site": "same-origin"]).status == 200)
        #expect(console.station.asked("torch") == 2)
        let key = JSONValue.string(try await console.gatekeeper.makeLink())
        #expect(
            await console.browser.api("POST", "/session", ["key": key], ["Origin": "http://evil.example"]).status == 403
        )
        await console.end()
    }

    @Test("a name that isn't ours gets nothing, not even the page")
    func hosts() async throws {
        let console = try await TestConsole()
        let owner = try await console.owner()
        for path in ["/", "/api/v1/session", "/api/v1/state"] {
            let answer = await owner.ask("GET", path, nil, ["Host": "rebound.example:80"])
            #expect(answer.status == 421)
            #expect(answer.message.contains("console.names"))
        }
        #expect(await owner.api("GET", "/session", nil, ["Host": "dock-1-2.local:8080"]).status == 200)
        #expect(await owner.api("GET", "/session", nil, ["Host": ""]).status >= 400)
        await console.end()
    }

    @Test("every answer forbids frames, foreign scripts and guessing")
    func headers() async throws {
        let console = try await TestConsole()
        let browser = await console.browser
        for path in ["/", "/api/v1/session", "/api/v1/nothing", "/api/v1/state"] {
            let fields = await browser.ask("GET", path).fields
            #expect(fields["content-security-policy"]?.contains("frame-ancestors 'none'") == true)
            #expect(fields["content-security-policy"]?.contains("unsafe") == false)
            #expect(fields["x-content-type-options"] == "nosniff")
            #expect(fields["x-frame-options"] == "DENY")
        }
        await console.end()
    }

    @Test("pages have a tag, and aren't sent twice")
    func pages() async throws {
        let web = TemporaryFolder()
        try web.write("index.html", "<!doctype html><title>page</title>")
        _ = try web.folder("assets")
        try web.write("assets/main.js", "export {}")
        try web.write("assets/secret.key", "no")
        let console = try await TestConsole(web: web.path)
        let browser = await console.browser
        let page = await browser.ask("GET", "/")
        #expect(page.status == 200)
        #expect(page.fields["content-type"] == "text/html; charset=utf-8")
        #expect(page.fields["cache-control"] == "no-cache")
        let tag = try #require(page.fields["etag"])
        let again = await browser.ask("GET", "/", nil, ["If-None-Match": tag])
        #expect(again.status == 304)
        #expect(again.body.isEmpty)
        #expect(await browser.ask("GET", "/assets/main.js").fields["content-type"] == "text/javascript; charset=utf-8")
        #expect(await browser.ask("HEAD", "/assets/main.js").body.isEmpty)
        for path in ["/assets/secret.key", "/assets/../index.html", "/assets/none.js", "/other", "/assets"] {
            #expect(await browser.ask("GET", path).status == 404)
        }
        #expect(await browser.ask("POST", "/").status == 405)
        try web.write("index.html", "<!doctype html><title>new</title>")
        #expect(await browser.ask("GET", "/", nil, ["If-None-Match": tag]).status == 200)
        await console.end()
    }

    @Test("state, scans, outputs, health and commands reach the station, and its refusals come back in its words")
    func station() async throws {
        let console = try await TestConsole()
        let owner = try await console.owner()
        let state = await owner.api("GET", "/state")
        #expect(state.json["station"]?["camera"]?["state"] == "running")
        #expect(state.json["stationAway"] == .null)
        #expect(state.json["console"]?["version"] == "test")
        let page = await owner.api("GET", "/scans?limit=2&text=%3Cb%3E")
        #expect(page.json["scans"]?.arrayValue?.compactMap { $0["seq"]?.integerValue } == [3, 2])
        #expect(page.json["more"] == true)
        #expect(page.json["before"] == 2)
        #expect(page.json["reached"]?.stringValue != nil)
        #expect(console.station.state.value.lines.last?["text"] == "<b>")
        #expect(await owner.api("GET", "/scans/scan-2").json["id"] == "scan-2")
        #expect(await owner.api("GET", "/scans/scan-99").status == 404)
        for bad in [
            "limit=0", "limit=201", "limit=x", "before=-1", "from=yesterday", "receipt=perhaps", "text=%ff", "text=%",
        ] {
            #expect(await owner.api("GET", "/scans?\(bad)").status == 400, "\(bad)")
        }
        #expect(await owner.api("GET", "/outputs").json["outputs"]?.arrayValue?.count == 1)
        #expect(await owner.api("GET", "/health").json["findings"]?.arrayValue?.count == 1)
        #expect(await owner.api("POST", "/outputs/stock/test").status == 200)
        #expect(await owner.api("POST", "/scans/scan-2/send", ["output": "stock"]).status == 200)
        let refused = await owner.api("POST", "/commands", ["command": "pause"])
        #expect(refused.status == 409)
        #expect(refused.message == "the station is paused already")
        for name in ["relay", "accept", "set", "subscribe", "hello", "shutdown"] {
            #expect(await owner.api("POST", "/commands", ["command": .string(name)]).code == "notForConsole")
            #expect(name == "hello" || name == "subscribe" || console.station.asked(name) == 0)
        }
        await console.end()
    }

    @Test("an export has all scans, page by page")
    func exports() async throws {
        let console = try await TestConsole()
        console.station.state.change { $0.last = 450 }
        let owner = try await console.owner()
        let answer = await owner.api("GET", "/scans/export?format=csv")
        #expect(answer.fields["content-disposition"] == "attachment; filename=\"scans.csv\"")
        let text = String(decoding: answer.body, as: UTF8.self)
        #expect(text.components(of: "\r\n").count { $0.contains("\"qr_code\"") } == 450)
        #expect(console.station.asked("scans") == 3)
        #expect(await owner.api("GET", "/scans/export?format=xml").status == 400)
        await console.end()
    }

    @Test("a search and its export go on where the station stopped looking, though nothing fitted")
    func searchingBack() async throws {
        let console = try await TestConsole()
        console.station.state.change {
            $0.last = 450
            $0.scansLookedAt = 100
        }
        let owner = try await console.owner()
        let first = await owner.api("GET", "/scans?text=%3Cb%3E42%3C&receipt=refused")
        #expect(first.json["scans"] == [])
        #expect(first.json["more"] == true)
        #expect(first.json["before"] == 351)
        #expect(console.station.state.value.lines.last?["receipt"] == "refused")
        let export = await owner.api("GET", "/scans/export?text=%3Cb%3E42%3C")
        #expect(String(decoding: export.body, as: UTF8.self).components(of: "\n").count { $0.contains("scan-42") } == 1)
        await console.end()
    }

    @Test("what a response holds is given back when it is dropped before it began")
    func dropped() throws {
        let slots = Slots(1)
        var slot = slots.take()
        #expect(slot != nil)
        #expect(slots.take() == nil)
        slot = nil
        #expect(slots.take() != nil)
        let hub = EventHub()
        var member: EventHub.Membership? = EventHub.Membership(try hub.subscribe(.token("t")), of: hub)
        #expect(hub.count == 1)
        _ = member
        member = nil
        #expect(hub.count == 0)
    }

    @Test("a station that is away, comes back, hangs, or is older than the console is told so in words")
    func away() async throws {
        let console = try await TestConsole(isThere: false)
        let owner = try await console.owner()
        let state = await owner.api("GET", "/state")
        #expect(state.status == 200)
        #expect(state.json["station"] == .null)
        #expect(state.json["stationAway"]?.stringValue?.contains("no socket at") == true)
        let scans = await owner.api("GET", "/scans")
        #expect(scans.status == 503)
        #expect(scans.code == "stationAway")
        console.station.state.change { $0.unknown = ["hello", "doctor", "schema"] }
        try console.station.start()
        await console.isBack()
        #expect(await owner.api("GET", "/state").json["stationAway"] == .null)
        let health = await owner.api("GET", "/health")
        #expect(health.status == 501)
        #expect(health.message.contains("older than this console"))
        #expect(await owner.api("GET", "/settings").status == 501)
        // One that takes a command and never answers it.
        console.station.state.change { $0.mute = ["scans"] }
        let link = console.desk.withheld.link
        let silence = await #expect(throws: StationAway.self) {
            try await link.ask("scans", timeout: .milliseconds(20))
        }
        #expect(
            silence.map { "\($0)".contains("didn't answer \"scans\" within 20ms: it hangs, or is very busy") } == true)
        #expect(await owner.api("GET", "/state").json["stationAway"] == .null)
        console.station.stop()
        await console.isAway()
        #expect(await owner.api("GET", "/scans").status == 503)
        await console.end()
    }

    @Test("settings are tried only for who has seen what they are now, then kept or taken back")
    func settings() async throws {
        let console = try await TestConsole()
        let owner = try await console.owner()
        let settings = await owner.api("GET", "/settings")
        let revision = try #require(settings.json["revision"]?.stringValue)
        let values: JSONValue = ["values": ["torch.mode": "auto"]]
        #expect(await owner.api("PATCH", "/settings", values).status == 428)
        #expect(await owner.api("PATCH", "/settings", values, ["If-Match": "other"]).status == 412)
        #expect(console.station.state.value.values["torch.mode"] == "off")
        let changed = await owner.api("PATCH", "/settings", values, ["If-Match": revision])
        #expect(changed.status == 200)
        #expect(changed.json["revision"]?.stringValue != revision)
        #expect(changed.json["notes"] == ["a note"])
        let author = try #require(changed.json["trial"]?["author"]?.stringValue)
        #expect(author.hasPrefix("a browser at the station itself ("))
        #expect(await owner.api("PATCH", "/settings", values, ["If-Match": revision]).status == 412)
        let next = try #require(changed.json["revision"]?.stringValue)
        #expect(
            await owner.api("PATCH", "/settings", ["values": ["relay.line": "17"]], ["If-Match": next]).status == 409)
        // Somebody else sees whose it is, and may keep it or take it back, but not mix it with a change of their own.
        let token = try await console.token([.manage, .view])
        let robot = await console.browser
        let theirs = await robot.api(
            "PATCH", "/settings", ["values": ["torch.mode": "on"]], ["If-Match": next].merging(token) { $1 })
        #expect(theirs.status == 409 && theirs.code == "onTrial" && theirs.message.contains(author))
        #expect(
            await robot.api("POST", "/settings/keep", nil, ["If-Match": "other"].merging(token) { $1 }).status == 412)
        #expect(await robot.api("POST", "/settings/takeBack", nil, token).json["trial"] == .null)
        #expect(console.station.state.value.values["torch.mode"] == "off")
        #expect(await owner.api("POST", "/settings/keep").code == "nothingOnTrial")
        let again = await owner.api("GET", "/settings").json["revision"]?.stringValue ?? ""
        #expect(await owner.api("PATCH", "/settings", values, ["If-Match": again]).status == 200)
        let kept = await owner.api("POST", "/settings/keep")
        #expect(kept.status == 200 && kept.json["trial"] == .null)
        #expect(console.station.state.value.values["torch.mode"] == "auto")
        #expect(console.station.asked("set") == 0)
        // Two at once with one revision: one is faster.
        let last = kept.json["revision"]?.stringValue ?? ""
        async let one = owner.api("PATCH", "/settings", ["values": ["torch.mode": "on"]], ["If-Match": last])
        async let two = owner.api("PATCH", "/settings", ["values": ["torch.mode": "session"]], ["If-Match": last])
        #expect(await [one.status, two.status].sorted() == [200, 412])
        await console.end()
    }

    @Test("one token more than are kept is refused, and the others stay")
    func fullOfTokens() async throws {
        let console = try await TestConsole()
        let owner = try await console.owner()
        for number in 0..<TokenBook.most {
            #expect(
                await owner.api("POST", "/tokens", ["name": .string("\(number)"), "scopes": ["view"]]).status == 201)
        }
        #expect(await owner.api("POST", "/tokens", ["name": "more", "scopes": ["view"]]).status == 409)
        #expect(await owner.api("GET", "/tokens").json["tokens"]?.arrayValue?.count == TokenBook.most)
        await console.end()
    }

    @Test("tokens are made, listed without their secret, used, and withdrawn")
    func tokens() async throws {
        let console = try await TestConsole()
        let owner = try await console.owner()
        let made = await owner.api("POST", "/tokens", ["name": "stock", "scopes": ["view"], "expires": .null])
        #expect(made.status == 201)
        let secret = try #require(made.json["token"]?.stringValue)
        let id = try #require(made.json["id"]?.stringValue)
        let list = await owner.api("GET", "/tokens")
        #expect(list.json["tokens"]?.arrayValue?.count == 1)
        #expect(!String(decoding: list.body, as: UTF8.self).contains(secret))
        let program = await console.browser
        let fields = ["Authorization": "Bearer \(secret)"]
        #expect(await program.api("GET", "/state", nil, fields).status == 200)
        #expect(await program.api("POST", "/commands", ["command": "trigger"], fields).status == 403)
        for bad: JSONValue in [
            [:], ["name": "", "scopes": ["view"]], ["name": "x", "scopes": []], ["name": "x", "scopes": ["root"]],
            ["name": "x", "scopes": ["view"], "expires": "soon"], ["name": "x", "scopes": ["view"], "admin": true],
        ] {
            #expect(await owner.api("POST", "/tokens", bad).status == 400)
        }
        #expect(await owner.api("DELETE", "/tokens/\(id)").status == 204)
        #expect(await owner.api("DELETE", "/tokens/\(id)").status == 404)
        #expect(await program.api("GET", "/state", nil, fields).code == "badToken")
        await console.end()
    }

    @Test("secrets are revealed only to people who may manage")
    func secrets() async throws {
        let console = try await TestConsole()
        let browser = await console.browser
        _ = await browser.api("GET", "/scans", nil, try await console.token([.view]))
        let subscriptions = {
            console.station.state.value.lines.filter { $0["command"] == "subscribe" }.map { $0["secrets"]?.stringValue }
        }
        #expect(subscriptions() == ["withheld"])
        _ = await browser.api("GET", "/scans", nil, try await console.token([.view, .manage]))
        #expect(subscriptions() == ["withheld", "revealed"])
        await console.end()
    }
}

extension String {
    fileprivate func components(of separator: String) -> [Substring] { split(separator: separator) }
}
