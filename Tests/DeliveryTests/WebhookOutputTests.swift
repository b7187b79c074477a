import ControlSupport
import Settings
import TestPeers
import TestSupport
import Testing
import Wire

@testable import Delivery

/// One after another: each starts its own server, and CI has two cores.
@Suite("Webhook output", .serialized, .timeLimit(.minutes(10)))
struct WebhookOutputTests {
    private func output(
        _ url: String, secrets: SecretPolicy = .asConfigured, limits: WebhookOutput.Limits = WebhookOutput.Limits(),
        answers: AsyncStream<HostAnswer>.Continuation? = nil,
        _ change: (inout WebhookSettings) -> Void = { _ in }
    ) throws -> WebhookOutput {
        var settings = WebhookSettings(url: url)
        // Only a broken program reaches it.
        settings.timeout = .seconds(600)
        change(&settings)
        var context = OutputContext(version: "1.2", answer: { answers?.yield($0) })
        context.place = "outputs[1]"
        return try WebhookOutput(name: "hook", settings: settings, secrets: secrets, context: context, limits: limits)
    }

    private func reason(_ receipt: Receipt?) -> String {
        switch receipt {
        case .failed(let reason, retry: true), .refused(let reason): reason
        default: "\(String(describing: receipt))"
        }
    }

    // MARK: What is sent

    @Test("A scan is the body of a POST, with its id as the idempotency key, on one connection")
    func post() async throws {
        let server = try await WebServer()
        let output = try output(server.url("/status/200?x=1")) { $0.headers = ["X-Dock": "7", "X-Empty": ""] }
        #expect(await output.deliver(Fixtures.scan(1)) == .accepted)
        #expect(await output.deliver(Fixtures.scan(2)) == .accepted)
        let first = try await server.request()
        #expect(first.body == Array(Fixtures.scan(1).line(secrets: .asConfigured).dropLast()))
        #expect(first.headers["content-type"] == "application/json")
        #expect(first.headers["idempotency-key"] == "scan-1")
        #expect(first.headers["user-agent"] == "ScanStation/1.2")
        #expect(first.headers["x-dock"] == "7")
        #expect(first.headers["x-empty"]?.isEmpty == true)
        #expect(first.headers["authorization"] == nil)
        #expect(try await server.request().peer == first.peer)
        let report = await output.report()
        #expect(report.delivered == 2)
        #expect(report.status == OutputStatus(.ready))
        await output.stop()
    }

    @Test(
        "Several scans are an array, in order; one answer settles them all, but a refused one is asked for scan by scan"
    )
    func batch() async throws {
        let server = try await WebServer()
        let output = try output(server.url("/status/200,400,200,400,500")) { $0.batch = 3 }
        let events = (1...5).map { Fixtures.scan($0) }
        #expect(await output.deliver(events) == [.accepted, .accepted, .accepted])
        let request = try await server.request()
        let scans = try #require(try JSONValue(parsing: request.body).arrayValue)
        #expect(scans.map { $0["seq"]?.integerValue } == [1, 2, 3])
        #expect(request.headers["idempotency-key"] == "scan-1..scan-3")
        let url = server.url("")
        #expect(
            await output.deliver(Array(events[3...])) == [.accepted, .refused(reason: "\(url) answered 400: said 400")])
        #expect(try await server.request().headers["idempotency-key"] == "scan-4..scan-5")
        for number in [4, 5] {
            let request = try await server.request()
            #expect(request.headers["idempotency-key"] == "scan-\(number)")
            #expect(try JSONValue(parsing: request.body).arrayValue?.count == 1)
        }
        let failed = await output.deliver(events)
        #expect(failed.count == 1)
        #expect(reason(failed.first).hasSuffix("answered 500: said 500"))
        await output.stop()
    }

    @Test("Passwords in a code are left out where they are withheld")
    func secrets() async throws {
        let server = try await WebServer()
        let output = try output(server.url("/status/200"), secrets: .withheld)
        let event = Fixtures.scan(1, text: "WIFI:S:net;T:WPA;P:hidden;;")
        #expect(await output.deliver(event) == .accepted)
        #expect(try await server.request().body == Array(event.line(secrets: .withheld).dropLast()))
        await output.stop()
    }

    @Test(
        "A token and a signature come from files, read again for each request; the signature is genuine to Python's hmac"
    )
    func secretFiles() async throws {
        let folder = TemporaryFolder()
        try folder.write("token", "first\nignored\n")
        try folder.write("key", "a key\n")
        let server = try await WebServer()
        let output = try output(server.url("/signed?key=a%20key")) {
            $0.tokenFile = folder.file("token")
            $0.hmacKeyFile = folder.file("key")
        }
        #expect(await output.deliver(Fixtures.scan(1)) == .accepted)
        #expect(try await server.request().headers["authorization"] == "Bearer first")
        try folder.write("token", "second\n")
        try folder.write("key", "another key\n")
        #expect(reason(await output.deliver(Fixtures.scan(2))).contains("answered 401"))
        #expect(try await server.request().headers["authorization"] == "Bearer second")
        await output.stop()
    }

    // MARK: What is answered

    @Test("2xx accepts")
    func accepts() async throws {
        let server = try await WebServer()
        for status in [200, 201, 202, 204] {
            let output = try output(server.url("/status/\(status)"))
            #expect(await output.deliver(Fixtures.scan()) == .accepted)
            await output.stop()
        }
    }

    @Test("A 4xx refuses, with the first line of the body")
    func refuses() async throws {
        let server = try await WebServer()
        for status in [400, 404, 410, 422] {
            let output = try output(server.url("/status/\(status)?secret=1"))
            let expected = "\(server.url("")) answered \(status): said \(status)"
            #expect(await output.deliver(Fixtures.scan()) == .refused(reason: expected))
            let report = await output.report()
            #expect(report.refused == 1)
            #expect(report.lastError == expected)
            #expect(report.status.state == .ready)
            await output.stop()
        }
    }

    @Test("Wrong credentials are no refusal: scans wait, the state says what to do, and nothing hammers at the door")
    func credentials() async throws {
        let server = try await WebServer()
        for status in [401, 403, 407] {
            for pause in [Duration.seconds(3600), .zero] {
                var limits = WebhookOutput.Limits()
                limits.credentialsPause = pause
                var settings = WebhookSettings(url: server.url("/status/\(status),200?pause=\(pause == .zero ? 0 : 1)"))
                settings.batch = 2
                let output = try WebhookOutput(name: "hook", settings: settings, secrets: .asConfigured, limits: limits)
                let scans = [Fixtures.scan(7), Fixtures.scan(8)]
                #expect(await output.deliver(scans).map(reason).first?.contains("correct the webhook's token") == true)
                let report = await output.report()
                #expect(report.refused == 0)
                #expect(report.status.state == .waiting)
                #expect(report.status.detail?.contains("answered \(status): said \(status)") == true)
                _ = try await server.request()
                let again = await output.deliver(scans)
                if pause == .zero {
                    #expect(again == [.accepted, .accepted])
                    #expect(await output.report().status.state == .ready)
                    _ = try await server.request()
                } else {
                    // Not sent: the answer would have been 200.
                    #expect(again.map(reason) == [report.status.detail ?? ""])
                }
                await output.stop()
            }
        }
    }

    @Test("These are worth another try, with the same key")
    func retries() async throws {
        let server = try await WebServer()
        for status in [408, 425, 429, 500, 502, 503] {
            let output = try output(server.url("/status/\(status),200"))
            #expect(reason(await output.deliver(Fixtures.scan(7))).contains("answered \(status): said \(status)"))
            #expect(await output.report().status.state == .waiting)
            #expect(await output.deliver(Fixtures.scan(7)) == .accepted)
            #expect(await output.report().status.state == .ready)
            #expect(try await server.request().headers["idempotency-key"] == "scan-7")
            #expect(try await server.request().headers["idempotency-key"] == "scan-7")
            await output.stop()
        }
    }

    @Test(
        "Nothing is sent while the server asked to wait; when the time is over, the state says so",
        arguments: [429, 503])
    func retryAfter(status: Int) async throws {
        let server = try await WebServer()
        let limits = WebhookOutput.Limits(maxRetryAfter: .milliseconds(100))
        let output = try output(server.url("/status/\(status),200?retry=3600"), limits: limits)
        await output.start()
        #expect(await output.states.first { $0.state == .ready } != nil)
        #expect(reason(await output.deliver(Fixtures.scan())).contains("answered \(status)"))
        let waiting = await output.states.first { $0.state == .waiting }
        #expect(
            waiting?.detail?.contains("asked to wait for 1h, so nothing is sent for 100ms") == true)
        #expect(await output.states.first { $0.state == .ready } != nil)
        #expect(await output.deliver(Fixtures.scan()) == .accepted)
        await output.stop()
    }

    @Test("While it waits, the server is left alone")
    func leftAlone() async throws {
        let server = try await WebServer()
        let output = try output(server.url("/status/503,200?retry=3600"))
        #expect(reason(await output.deliver(Fixtures.scan())).contains("answered 503"))
        #expect(reason(await output.deliver(Fixtures.scan())).contains("nothing is sent for 5min"))
        await output.stop()
    }

    @Test(
        "Redirects aren't followed, and said", arguments: ["/status/200", "file:///etc/passwd", "gopher://localhost/"])
    func redirect(target: String) async throws {
        let server = try await WebServer()
        let output = try output(server.url("/redirect?to=\(target)"))
        let receipt = await output.deliver(Fixtures.scan())
        #expect(reason(receipt).contains("answered 307, a redirect"))
        #expect(reason(receipt).contains("redirects aren't followed; set url"))
        #expect(!reason(receipt).contains("/status") && !reason(receipt).contains("passwd"))
        #expect(try await server.request().path == "/redirect")
        await output.stop()
    }

    @Test("A host's answer is read where it is asked for")
    func answers() async throws {
        let server = try await WebServer()
        let (answers, sink) = AsyncStream<HostAnswer>.makeStream()
        let url = server.url("/status/200?body={\"accept\":false,\"reason\":\"unknown\",\"relay\":false}")
        let output = try output(url.replacing("\"", with: "%22"), answers: sink) { $0.answers = true }
        #expect(await output.deliver(Fixtures.scan(4)) == .refused(reason: "unknown"))
        let expected = HostAnswer(output: "hook", scan: "scan-4", isAccepted: false, reason: "unknown", relay: .none)
        #expect(await answers.first { _ in true } == expected)
        await output.stop()
    }

    // MARK: Servers that misbehave

    @Test("An answer of 10 MB is cut off, and its status counts")
    func bigAnswer() async throws {
        let server = try await WebServer()
        let output = try output(server.url("/big")) { $0.maxAnswerBytes = 1000 }
        #expect(await output.deliver(Fixtures.scan()) == .accepted)
        await output.stop()
    }

    @Test("An answer that is too long isn't used at all")
    func bigAnswerRead() async throws {
        let server = try await WebServer()
        let output = try output(server.url("/big")) {
            $0.maxAnswerBytes = 1000
            $0.answers = true
        }
        #expect(await output.deliver(Fixtures.scan()) == .accepted)
        #expect(await output.report().lastError?.contains("more than 1000 bytes (maxAnswerBytes)") == true)
        await output.stop()
    }

    @Test("Headers without end are cut off")
    func endlessHeaders() async throws {
        let server = try await WebServer()
        let output = try output(server.url("/headers"))
        #expect(reason(await output.deliver(Fixtures.scan())).contains("more than 65536 bytes of headers"))
        await output.stop()
    }

    @Test(
        "A server that hangs, or sends a byte now and then, is cut off by the time limit",
        arguments: ["hang", "trickle"])
    func slow(path: String) async throws {
        let server = try await WebServer()
        let output = try output(server.url("/\(path)")) { $0.timeout = .milliseconds(200) }
        #expect(
            reason(await output.deliver(Fixtures.scan())).contains("no complete answer within 200ms (timeout)"))
        #expect(await output.report().status.state == .waiting)
        await output.stop()
    }

    @Test("A connection that is closed without an answer is worth a retry")
    func dropped() async throws {
        let server = try await WebServer()
        let output = try output(server.url("/drop"))
        #expect(reason(await output.deliver(Fixtures.scan())).contains("the connection broke"))
        await output.stop()
    }

    @Test("A server that closes idle connections costs no failure")
    func idle() async throws {
        let server = try await WebServer()
        let output = try output(server.url("/bye"))
        for sequence: UInt64 in 1...5 { #expect(await output.deliver(Fixtures.scan(sequence)) == .accepted) }
        await output.stop()
    }

    @Test("Stopping ends a request under way at once")
    func stopping() async throws {
        let server = try await WebServer()
        let output = try output(server.url("/hang"))
        async let receipt = output.deliver(Fixtures.scan())
        _ = try await server.request()
        await output.stop()
        #expect(await receipt == .failed(reason: "hook is stopped", retry: true))
        #expect(await output.deliver(Fixtures.scan()) == .failed(reason: "hook is stopped", retry: true))
        #expect(await output.report().status.state == .stopped)
    }

    @Test("Ports where nobody listens, and unknown names, are reported")
    func unreachable() async throws {
        let place = try LoopbackSocket()
        let refused = try output("http://127.0.0.1:\(place.port)/")
        #expect(reason(await refused.deliver(Fixtures.scan())).contains("nothing is listening there"))
        await refused.stop()
        let unknown = try output("http://no-such-host.invalid/scans")
        #expect(reason(await unknown.deliver(Fixtures.scan())).contains("name can't be resolved"))
        await unknown.stop()
    }

    @Test("Through the dispatcher nothing is lost or reordered over failures")
    func inOrder() async throws {
        let server = try await WebServer()
        let output = try output(server.url("/status/500,200,503,408,200"))
        let retry = RetryMachine.Policy(initial: .milliseconds(1), maximum: .milliseconds(5))
        let journal = TestJournal()
        let dispatcher = Dispatcher(outputs: [(output, DeliveryPolicy())], journal: journal, retry: retry)
        await dispatcher.start()
        for _ in 1...3 { dispatcher.submit(journal.keep()) }
        #expect(await dispatcher.receipts.next(3).map(\.isAccepted) == [true, true, true])
        var keys: [String?] = []
        for _ in 1...6 { keys.append(try await server.request().headers["idempotency-key"]) }
        #expect(keys == ["scan-1", "scan-1", "scan-2", "scan-2", "scan-2", "scan-3"])
        await dispatcher.stop()
    }
}
