import ControlSupport
import Glibc
import Settings
import TestPeers
import TestSupport
import Testing
import Wire

@testable import Delivery

/// One after another: each makes certificates and starts its own server, and CI has two cores.
@Suite("Webhook: TLS, secrets and settings", .serialized, .timeLimit(.minutes(10)))
struct WebhookSecurityTests {
    private func output(_ url: String, _ change: (inout WebhookSettings) -> Void = { _ in }) throws -> WebhookOutput {
        var settings = WebhookSettings(url: url)
        settings.timeout = .seconds(600)
        change(&settings)
        var context = OutputContext()
        context.place = "outputs[0]"
        let limits = WebhookOutput.Limits(
            lookAgain: RetryMachine.Policy(initial: .milliseconds(2), maximum: .milliseconds(10)))
        return try WebhookOutput(
            name: "hook", settings: settings, secrets: .asConfigured, context: context, limits: limits)
    }

    private func problem(_ receipt: Receipt) -> String {
        if case .failed(let reason, retry: true) = receipt { reason } else { "\(receipt)" }
    }

    @Test("A server is trusted by the authority that is named, and by no other")
    func authorities() async throws {
        let certificates = try await Certificates()
        let server = try await WebServer(certificates.webServer)
        for (authority, isTrusted) in [
            (certificates.ca, true), (certificates.otherCA, false), (nil, false),
        ] {
            let output = try output(server.url("/status/200")) {
                $0.tls = TLSSettings()
                $0.tls?.ca = authority
            }
            let receipt = await output.deliver(Fixtures.scan())
            if isTrusted {
                #expect(receipt == .accepted)
            } else {
                #expect(problem(receipt).contains("the server's certificate isn't trusted"))
                #expect(problem(receipt).contains("outputs[0].webhook.tls.ca"))
            }
            await output.stop()
        }
    }

    @Test("A certificate for another name is not trusted; without verification anything is")
    func names() async throws {
        let certificates = try await Certificates()
        let server = try await WebServer(["--certificate", certificates.elsewhere, "--key", certificates.elsewhereKey])
        for verify in [true, false] {
            let output = try output(server.url("/status/200", host: "localhost")) {
                $0.tls = TLSSettings()
                $0.tls?.ca = certificates.ca
                $0.tls?.verify = verify
            }
            #expect(await (output.deliver(Fixtures.scan()) == .accepted) == !verify)
            await output.stop()
        }
    }

    @Test("A server that asks for a client certificate gets it")
    func clientCertificate() async throws {
        let certificates = try await Certificates()
        let server = try await WebServer(certificates.webServer + ["--client-ca", certificates.ca])
        for isShown in [false, true] {
            let output = try output(server.url("/status/200")) {
                $0.tls = TLSSettings()
                $0.tls?.ca = certificates.ca
                $0.tls?.certificate = isShown ? certificates.client : nil
                $0.tls?.key = isShown ? certificates.clientKey : nil
            }
            #expect(await (output.deliver(Fixtures.scan()) == .accepted) == isShown)
            await output.stop()
        }
    }

    @Test("A file of authorities that isn't one, and a key of another certificate, are named")
    func badFiles() async throws {
        let certificates = try await Certificates()
        let server = try await WebServer(certificates.webServer)
        let authority = try output(server.url("/status/200")) {
            $0.tls = TLSSettings()
            $0.tls?.ca = certificates.clientKey
        }
        #expect(
            problem(await authority.deliver(Fixtures.scan())).contains(
                "outputs[0].webhook.tls.ca: \(certificates.clientKey) can't"))
        await authority.stop()
        let pair = try output(server.url("/status/200")) {
            $0.tls = TLSSettings()
            $0.tls?.ca = certificates.ca
            $0.tls?.certificate = certificates.client
            $0.tls?.key = certificates.serverKey
        }
        #expect(problem(await pair.deliver(Fixtures.scan())).contains("outputs[0].webhook.tls.certificate"))
        await pair.stop()
    }

    @Test("A file that is missing is a state, and found when it comes")
    func missingFile() async throws {
        let certificates = try await Certificates()
        let server = try await WebServer(certificates.webServer)
        let folder = TemporaryFolder()
        let output = try output(server.url("/status/200")) {
            $0.tls = TLSSettings()
            $0.tls?.ca = folder.file("ca.pem")
        }
        await output.start()
        let waiting = await output.states.first { $0.state == .waiting }
        let expected = "outputs[0].webhook.tls.ca: no such file \(folder.file("ca.pem")): make it, or correct the path"
        #expect(waiting?.detail == expected)
        #expect(await output.deliver(Fixtures.scan()) == .failed(reason: expected, retry: true))
        try #require(symlink(certificates.ca, folder.file("ca.pem")) == 0)
        #expect(await output.states.first { $0.state == .ready } != nil)
        #expect(await output.deliver(Fixtures.scan()) == .accepted)
        await output.stop()
    }

    @Test("There is a warning for a token that everybody can read; a missing one is reported")
    func tokens() async throws {
        let folder = TemporaryFolder()
        try folder.write("token", "secret\n")
        chmod(folder.file("token"), 0o644)
        let open = try output("http://127.0.0.1:1/") { $0.tokenFile = folder.file("token") }
        await open.start()
        let ready = await open.states.first { $0.state == .ready }
        #expect(ready?.detail?.hasPrefix("outputs[0].webhook.tokenFile: everybody on this machine can read") == true)
        await open.stop()
        let missing = try output("http://127.0.0.1:1/") { $0.tokenFile = folder.file("none") }
        #expect(problem(await missing.deliver(Fixtures.scan())).hasPrefix("outputs[0].webhook.tokenFile: no such file"))
        await missing.stop()
    }

    @Test(
        "URLs that can't work are refused when the output is made",
        arguments: [
            ("ftp://example.org/", "begins with neither https:// nor http://"), ("example", "is not a URL"),
            ("http://", "is not a URL"),
            ("https://user:word@example.org/", "a user or password doesn't belong in a URL"),
            ("http://example.org:99999/", "is not a URL"), ("file:///etc/passwd", "begins with neither"),
            ("http://exa mple.org/", "is not a URL"),
        ])
    func badURL(url: String, expected: String) {
        let error = #expect(throws: DeliveryError.self) { try output(url) }
        #expect(error?.message.hasPrefix("outputs[0].webhook.url: ") == true)
        #expect(error?.message.contains(expected) == true)
        #expect(error?.message.contains("user:word") == false)
    }

    @Test("Headers that can't be sent, or are the output's own, are refused")
    func badHeaders() {
        for (name, value) in [
            ("", "x"), ("A B", "x"), ("X-A", "x\r\nX-B: y"), ("Content-Type", "text/plain"), ("idempotency-key", "1"),
            ("X", String(repeating: "x", count: 9000)),
        ] {
            let error = #expect(throws: DeliveryError.self) { try output("http://h/") { $0.headers = [name: value] } }
            #expect(error?.message.hasPrefix("outputs[0].webhook.headers") == true, "\(name)")
        }
        #expect(throws: Never.self) { try output("http://h/") { $0.headers = ["Authorization": "Basic eDp5"] } }
        #expect(throws: DeliveryError.self) {
            try output("http://h/") {
                $0.headers = ["authorization": "Basic eDp5"]
                $0.tokenFile = "/t"
            }
        }
    }

    @Test("TLS settings that can't work are refused")
    func badTLS() {
        #expect(throws: DeliveryError.self) { try output("http://h/") { $0.tls = TLSSettings() } }
        let error = #expect(throws: DeliveryError.self) {
            try output("https://h/") {
                $0.tls = TLSSettings()
                $0.tls?.certificate = "/c"
            }
        }
        #expect(error?.message == "outputs[0].webhook.tls.key: is missing: certificate and key go together")
    }

    @Test("The signature covers the time and the body, as Python's hmac computes it")
    func signature() {
        // HMAC-SHA256("Jefe", "1.what") by Python: hmac.new(b"Jefe", b"1.what", "sha256").hexdigest()
        let expected = "t=1,v1=ffb2e09f49104eda0b5217b7710b58a8118357b1db6d6fa15eef9415f7e4d28e"
        #expect(WebhookSignature.value(key: Array("Jefe".utf8), unixSeconds: 1, body: Array("what".utf8)) == expected)
    }
}
