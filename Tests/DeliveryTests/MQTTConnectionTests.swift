import ControlSupport
import Glibc
import Settings
import TestPeers
import TestSupport
import Testing
import Wire

@testable import Delivery

/// What a person hears when the broker isn't available, and that it works as soon as it is.
@Suite("MQTT connection", .timeLimit(.minutes(10)))
struct MQTTConnectionTests {
    private static let quick = MQTTOutputTests.quick

    /// The first waiting state that says something.
    private func complaint(
        _ settings: MQTTSettings, limits: MQTTOutput.Limits = Self.quick
    ) async throws -> String {
        let output = try await MQTTOutputTests.open(settings, limits: limits)
        let state = await output.states.first { $0.state == .waiting }
        #expect(await output.report().lastError != nil)
        await output.stop()
        return state?.detail ?? "nothing"
    }

    // MARK: Users

    @Test("A wrong password is reported; once it is right in the file, the output connects by itself")
    func password() async throws {
        let broker = try await Broker(passwords: ["dock": "right"])
        let folder = TemporaryFolder()
        try folder.write("password", "wrong\n")
        let settings = broker.settings {
            $0.username = "dock"
            $0.passwordFile = folder.file("password")
        }
        let output = try await MQTTOutputTests.open(settings)
        let state = await output.states.first { $0.detail?.contains("\"dock\"") == true }
        #expect(state?.state == .waiting)
        #expect(state?.detail?.contains("outputs[1].mqtt.username") == true)
        try folder.write("password", "right\n")
        try await MQTTOutputTests.ready(output)
        #expect(await output.deliver(Fixtures.scan()) == .accepted)
        await output.stop()
    }

    @Test("A broker that wants a user says so to a client without one")
    func anonymous() async throws {
        let broker = try await Broker(passwords: ["dock": "right"])
        #expect(try await complaint(broker.settings()).contains("client without user name isn't authorised"))
    }

    @Test("A password file that is missing, empty or a folder is named")
    func passwordFile() async throws {
        let folder = TemporaryFolder()
        try folder.write("empty", "")
        for (file, what) in [("missing", "no such file"), ("empty", "is empty"), ("", "is a folder")] {
            var settings = MQTTSettings(host: "127.0.0.1")
            settings.username = "dock"
            settings.passwordFile = folder.file(file)
            let text = try await complaint(settings)
            #expect(text.hasPrefix("outputs[1].mqtt.passwordFile: "))
            #expect(text.contains(what))
        }
    }

    // MARK: Encryption

    private static func secure(_ certificates: Certificates, _ more: [String] = []) async throws -> Broker {
        try await Broker(
            [
                "cafile \(certificates.ca)", "certfile \(certificates.server)", "keyfile \(certificates.serverKey)",
            ] + more)
    }

    private static func settings(
        _ broker: Broker, ca: String?, _ change: (inout TLSSettings) -> Void = { _ in }
    ) -> MQTTSettings {
        var tls = TLSSettings()
        tls.ca = ca
        change(&tls)
        return broker.settings {
            $0.host = "localhost"
            $0.tls = tls
        }
    }

    @Test("Scans go through TLS to a broker whose authority is trusted")
    func encrypted() async throws {
        let certificates = try await Certificates()
        let broker = try await Self.secure(certificates)
        let client = try await BrokerClient(
            broker, "scanstation/dock-1/scan", arguments: ["--cafile", certificates.ca])
        let output = try await MQTTOutputTests.open(Self.settings(broker, ca: certificates.ca))
        try await MQTTOutputTests.ready(output)
        await MQTTOutputTests.deliverAll((1...300).map { Fixtures.scan($0) }, to: output)
        for sequence in 1...300 { #expect(await client.next()?.json?["seq"] == .integer(Int64(sequence))) }
        await output.stop()
    }

    @Test("A wrong or missing authority is reported; with verify off any certificate will do")
    func wrongAuthority() async throws {
        let certificates = try await Certificates()
        let broker = try await Self.secure(certificates)
        for ca in [certificates.otherCA, nil] {
            let text = try await complaint(Self.settings(broker, ca: ca))
            #expect(text.contains("isn't trusted: set outputs[1].mqtt.tls.ca"))
        }
        let output = try await MQTTOutputTests.open(
            Self.settings(broker, ca: certificates.otherCA) { $0.verify = false })
        try await MQTTOutputTests.ready(output)
        await output.stop()
    }

    @Test("A certificate for another name is reported")
    func wrongName() async throws {
        let certificates = try await Certificates()
        let broker = try await Broker([
            "certfile \(certificates.elsewhere)", "keyfile \(certificates.elsewhereKey)",
        ])
        let text = try await complaint(Self.settings(broker, ca: certificates.ca))
        #expect(text.contains("is for another name") || text.contains("isn't trusted"), "\(text)")
    }

    @Test("Files of certificates that are missing are named, and used as soon as they are there")
    func missingFiles() async throws {
        let certificates = try await Certificates()
        let broker = try await Self.secure(certificates)
        let folder = TemporaryFolder()
        let output = try await MQTTOutputTests.open(Self.settings(broker, ca: folder.file("ca.pem")))
        let state = await output.states.first { $0.detail?.contains("no such file") == true }
        #expect(
            state == OutputStatus(.waiting, detail: "outputs[1].mqtt.tls.ca: no such file \(folder.file("ca.pem"))"))
        symlink(certificates.ca, folder.file("ca.pem"))
        try await MQTTOutputTests.ready(output)
        await output.stop()
    }

    @Test("A file without a certificate is named")
    func badFile() async throws {
        let certificates = try await Certificates()
        let broker = try await Self.secure(certificates)
        let text = try await complaint(Self.settings(broker, ca: certificates.serverKey))
        #expect(text == "outputs[1].mqtt.tls.ca: no certificates in it (PEM)")
        let client = try await complaint(
            Self.settings(broker, ca: certificates.ca) {
                $0.certificate = certificates.clientKey
                $0.key = certificates.clientKey
            })
        #expect(client == "outputs[1].mqtt.tls.certificate: no certificate in it (PEM)")
        let key = try await complaint(
            Self.settings(broker, ca: certificates.ca) {
                $0.certificate = certificates.client
                $0.key = certificates.serverKey
            })
        #expect(key.contains("outputs[1].mqtt.tls.key"), "\(key)")
    }

    @Test("A broker that asks for a client's certificate gets it, and its absence is reported")
    func clientCertificate() async throws {
        let certificates = try await Certificates()
        let broker = try await Self.secure(certificates, ["require_certificate true"])
        let text = try await complaint(Self.settings(broker, ca: certificates.ca))
        #expect(text.contains("outputs[1].mqtt.tls.certificate"), "\(text)")
        let output = try await MQTTOutputTests.open(
            Self.settings(broker, ca: certificates.ca) {
                $0.certificate = certificates.client
                $0.key = certificates.clientKey
            })
        try await MQTTOutputTests.ready(output)
        await output.stop()
    }

    @Test("Encryption at only one of the two ends is reported")
    func mixedUp() async throws {
        let certificates = try await Certificates()
        let plain = try await Broker()
        let text = try await complaint(Self.settings(plain, ca: certificates.ca))
        #expect(text.contains("leave outputs[1].mqtt.tls out"), "\(text)")
        let secure = try await Self.secure(certificates)
        #expect(try await complaint(secure.settings()).contains("set outputs[1].mqtt.tls"))
    }

    // MARK: Hosts and ports

    @Test("A host that doesn't exist is reported")
    func unknownHost() async throws {
        let text = try await complaint(MQTTSettings(host: "nosuchhost.invalid"))
        #expect(text.hasPrefix("cannot find the host \"nosuchhost.invalid\""))
        #expect(text.contains("outputs[1].mqtt.host"))
    }

    @Test(
        "A port on which something else answers is reported",
        arguments: ["HTTP/1.1 400 Bad Request\r\n\r\n", "SSH-2.0-OpenSSH_9.2\r\n", "220 mail ESMTP\r\n", ""])
    func otherProtocol(greeting: String) async throws {
        let server = try FakeBroker()
        let output = try await MQTTOutputTests.open(server.settings())
        let client = try await server.accept()
        _ = await client.readPacket()
        await client.write(greeting)
        client.close()
        let state = await output.states.first { $0.detail?.contains("doesn't answer in MQTT") == true }
        #expect(state?.state == .waiting)
        #expect(state?.detail?.contains("is it an MQTT port") == true)
        await output.stop()
    }

    @Test("A server that says nothing is left after a time limit")
    func silent() async throws {
        let server = try FakeBroker()
        var limits = Self.quick
        limits.connectTimeout = .milliseconds(30)
        let text = try await complaint(server.settings(), limits: limits)
        #expect(text.contains("gave no MQTT answer within"))
    }

    @Test("An output stops at once, whatever it is waiting for")
    func stopsWhileConnecting() async throws {
        let server = try FakeBroker()
        let output = try await MQTTOutputTests.open(server.settings())
        _ = try await server.accept()
        await output.stop()
        #expect(await output.states.first { $0.state == .stopped } != nil)
        guard case .failed(_, retry: true) = await output.deliver(Fixtures.scan()) else {
            Issue.record("a stopped output must fail, worth a retry")
            return
        }
    }

    // MARK: What goes over the wire

    @Test("A broker that doesn't know MQTT 5 is spoken to in MQTT 3.1.1")
    func oldProtocol() async throws {
        let server = try FakeBroker()
        let output = try await MQTTOutputTests.open(server.settings())
        // As a broker does: every client gets its answer, however often one comes.
        let (levels, sink) = AsyncStream.makeStream(of: (level: UInt8?, client: ByteEnd).self)
        let broker = Task {
            while !Task.isCancelled, let client = try? await server.accept() {
                let level = await client.readPacket()?.level
                await client.write([0x20, 0x02, 0x00, level == 4 ? 0x00 : 0x01])
                sink.yield((level, client))
            }
        }
        defer { broker.cancel() }
        try await MQTTOutputTests.ready(output)
        var clients = levels.makeAsyncIterator()
        #expect(await clients.next()?.level == 5)
        let second = try #require(await clients.next())
        #expect(second.level == 4)
        await output.stop(within: second.client)
    }

    @Test("What had no PUBACK fails when the connection is lost, and is sent again only if it is offered again")
    func nothingBehindOurBack() async throws {
        let server = try FakeBroker()
        let output = try await MQTTOutputTests.open(server.settings { $0.commands = false })
        let first = try await server.welcome()
        try await MQTTOutputTests.ready(output)
        async let receipts = output.deliver((1...3).map { Fixtures.scan($0) })
        var ids: [[UInt8]] = []
        while ids.count < 3, let packet = await first.readPacket() {
            if packet.topic == "scanstation/dock-1/scan" { ids.append(packet.id) }
        }
        let acknowledged = try #require(ids.first)
        await first.write([0x40, 0x02] + acknowledged)
        first.close()
        let outcome = await receipts
        #expect(outcome.count == 2)
        #expect(outcome.first == .accepted)
        guard case .failed(_, retry: true)? = outcome.last else {
            Issue.record("must fail, worth a retry")
            return
        }
        let second = try await server.welcome()
        try await MQTTOutputTests.ready(output)
        // The last of these is published after everything that could have been left over.
        async let again = output.deliver([Fixtures.scan(9)])
        var scans: [MQTTPacket] = []
        while scans.isEmpty, let packet = await second.readPacket() {
            if packet.topic == "scanstation/dock-1/scan" { scans.append(packet) }
        }
        let only = try #require(scans.first)
        #expect(String(decoding: only.body, as: UTF8.self).contains("\"id\":\"scan-9\""))
        await second.write([0x40, 0x02] + only.id)
        #expect(await again == [.accepted])
        await output.stop(within: second)
    }

    @Test("A broker that confirms nothing is left, and connected to again")
    func noConfirmation() async throws {
        let server = try FakeBroker()
        var limits = Self.quick
        limits.ackTimeout = .milliseconds(30)
        let output = try await MQTTOutputTests.open(server.settings(), limits: limits)
        let first = try await server.welcome()
        try await MQTTOutputTests.ready(output)
        guard case .failed(let reason, retry: true) = await output.deliver(Fixtures.scan()) else {
            Issue.record("must fail, worth a retry")
            return
        }
        #expect(reason.contains("confirmed no message"))
        let second = try await server.welcome()
        first.close()
        try await MQTTOutputTests.ready(output)
        await output.stop(within: second)
    }

    @Test("A broker that says that another client took the id is believed")
    func takenOver() async throws {
        let server = try FakeBroker()
        let output = try await MQTTOutputTests.open(server.settings())
        let client = try await server.welcome()
        try await MQTTOutputTests.ready(output)
        await client.write([0xE0, 0x02, 0x8E, 0x00])
        let state = await output.states.first { $0.detail?.contains("another client with our id") == true }
        #expect(state?.state == .waiting)
        #expect(state?.detail?.contains("outputs[1].mqtt.clientID") == true)
        await output.stop()
    }
}

extension MQTTOutput {
    /// Stops beside a fake broker, which confirms no farewell.
    fileprivate func stop(within client: ByteEnd) async {
        async let stopped: Void = stop()
        while let packet = await client.readPacket() {
            if packet.kind == .disconnect { break }
            if packet.topic.hasSuffix("/availability") { await client.write([0x40, 0x02] + packet.id) }
        }
        await stopped
    }
}
