import ConsoleAccess
import TestSupport
import Testing
import Vocabulary
import Wire

@testable import Console

@Suite("The first password by button and code, at the console", .timeLimit(.minutes(10)))
struct FirstPasswordTests {
    /// A browser that keeps the cookie of its code.
    private func ask(_ console: TestConsole) async throws -> (
        browser: Browser, cookie: [String: String], answer: Browser.Answer
    ) {
        let browser = await console.browser
        let answer = await browser.api("POST", "/first-password", nil, ["Origin": browser.origin])
        let cookie = answer.fields["set-cookie"].map { String($0.prefix { $0 != ";" }) } ?? ""
        return (browser, ["Cookie": cookie, "Origin": browser.origin], answer)
    }

    private func lines(_ console: TestConsole, _ step: String) -> [JSONValue] {
        console.station.state.value.lines.filter {
            $0["command"] == "firstPassword" && $0["step"]?.stringValue == step
        }
    }

    @Test(
        "A browser asks, sets the password when it may, and is signed in; the cookie is for this alone"
    )
    func way() async throws {
        let console = try await TestConsole()
        let (browser, cookie, answer) = try await ask(console)
        #expect(answer.status == 201)
        let set = try #require(answer.fields["set-cookie"])
        for word in ["HttpOnly", "SameSite=Strict", "Path=/api/v1/first-password"] { #expect(set.contains(word)) }
        let rows = try #require(answer.json["code"]?.arrayValue)
        #expect(rows.count == 29 && rows.allSatisfy { $0.stringValue?.count == 29 })
        let told = try #require(lines(console, "ask").last)
        #expect(told["from"] == "127.0.0.1")
        #expect(told["code"]?.stringValue?.count == 32)
        // What the page is told isn't what the cookie holds.
        #expect(!cookie["Cookie", default: ""].uppercased().contains(told["code"]?.stringValue ?? "?"))
        let early = await browser.api("PUT", "/first-password", ["password": "correct horse"], cookie)
        #expect(early.status == 409)
        #expect(await console.gatekeeper.isPasswordSet == false)
        console.station.state.change { $0.stage = "open" }
        #expect(await browser.api("PUT", "/first-password", ["password": "short"], cookie).code == "badPassword")
        #expect(lines(console, "use").count == 1, "a password that can't be taken uses up no permission")
        #expect(await browser.api("GET", "/first-password", nil, cookie).json["stage"] == "open")
        #expect(await browser.api("PUT", "/first-password", ["password": "correct horse"], cookie).status == 204)
        #expect(await console.gatekeeper.isPasswordSet)
        #expect(console.passwordChanges.value == 1)
        #expect(await browser.api("GET", "/state").status == 200)
        await console.end()
    }

    @Test("Without the cookie of the browser that asked, a code opens nothing")
    func otherBrowser() async throws {
        let console = try await TestConsole()
        let (browser, _, _) = try await ask(console)
        console.station.state.change { $0.stage = "open" }
        for cookie in ["", "scanstation-first=", "scanstation-first=" + String(repeating: "0", count: 32)] {
            let fields = ["Cookie": cookie, "Origin": browser.origin]
            #expect(await browser.api("PUT", "/first-password", ["password": "correct horse"], fields).code == "noCode")
            #expect(await browser.api("GET", "/first-password", nil, fields).code == "noCode")
        }
        #expect(await console.gatekeeper.isPasswordSet == false)
        await console.end()
    }

    @Test("A browser that asks again says which code it had; another one can't")
    func again() async throws {
        let console = try await TestConsole()
        let (browser, cookie, _) = try await ask(console)
        _ = await browser.api("POST", "/first-password", nil, cookie)
        let asked = lines(console, "ask")
        #expect(asked.count == 2)
        #expect(asked[1]["replaces"] == asked[0]["code"])
        #expect(asked[1]["code"] != asked[0]["code"])
        _ = try await ask(console)
        #expect(lines(console, "ask")[2]["replaces"] == nil)
        // The first cookie is worth nothing any more.
        #expect(await browser.api("GET", "/first-password", nil, cookie).code == "noCode")
        await console.end()
    }

    @Test("Another page can't ask for it, and asking is bounded")
    func bounds() async throws {
        let console = try await TestConsole()
        let browser = await console.browser
        let foreign = ["Origin": "http://evil.example"]
        #expect(await browser.api("POST", "/first-password", nil, foreign).code == "foreignPage")
        #expect(
            await browser.api("PUT", "/first-password", ["password": "correct horse"], foreign).code == "foreignPage")
        var statuses: [Int] = []
        for _ in 0..<7 { statuses.append(try await ask(console).answer.status) }
        #expect(statuses == [201, 201, 201, 201, 201, 429, 429])
        await console.end()
    }

    @Test("Where a password is set, there is no first one")
    func isSet() async throws {
        let console = try await TestConsole()
        let (browser, cookie, _) = try await ask(console)
        console.station.state.change { $0.stage = "open" }
        let owner = try await console.owner()
        #expect(await owner.api("PUT", "/password", ["password": "correct horse"]).status == 204)
        #expect(
            await browser.api("PUT", "/first-password", ["password": "another horse"], cookie).code == "passwordSet")
        #expect(try await ask(console).answer.code == "passwordSet")
        #expect(lines(console, "use").isEmpty)
        #expect(await browser.api("GET", "/session").json["firstPassword"] == .null)
        await console.end()
    }

    @Test("The page says whether there is this way")
    func session() async throws {
        let console = try await TestConsole()
        let way = await console.browser.api("GET", "/session").json["firstPassword"]
        #expect(way?["open"] == true)
        await console.end()
    }

    @Test(
        "Without a password the network gets this way and nothing else; this machine isn't bound by that"
    )
    func network() async throws {
        #expect(
            FirstPasswordRoutes.withoutPassword
                == [
                    .readSession, .readOpenAPI, .askFirstPassword, .readFirstPassword, .setFirstPassword,
                    .withdrawFirstPassword,
                ])
        let console = try await TestConsole()
        let peer = Peer("192.168.1.7")
        for route in RouteTable.routes {
            let answer = await console.api.firstPassword.refusal(route.operation, from: peer)
            #expect((answer == nil) == FirstPasswordRoutes.withoutPassword.contains(route.operation), "\(route.path)")
            #expect(await console.api.firstPassword.refusal(route.operation, from: Peer("127.0.0.1")) == nil)
        }
        let owner = try await console.owner()
        _ = await owner.api("PUT", "/password", ["password": "correct horse"])
        #expect(await console.api.firstPassword.refusal(.readState, from: peer) == nil)
        await console.end()
    }

    @Test(
        "The page is in the network without a password only where the station says so"
    )
    func place() {
        func plan(_ option: ListenPlan.Place?, _ station: String?, _ isForFirst: Bool) -> [String] {
            ListenPlan(
                option: option, optionPort: nil, station: station, stationPort: nil, isPasswordSet: false,
                isForFirstPassword: isForFirst
            ).hosts
        }
        #expect(plan(nil, nil, true) == ["::", "0.0.0.0"])
        #expect(plan(nil, nil, false) == ["127.0.0.1"])
        #expect(plan(.local, nil, true) == ["127.0.0.1"])
        #expect(plan(nil, "local", true) == ["127.0.0.1"])
    }
}
