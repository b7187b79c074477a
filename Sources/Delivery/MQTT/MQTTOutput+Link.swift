import Glibc
import Wire

/// The connection: made, watched, lost and made again.
extension MQTTOutput {
    func attemptLink() {
        attempt += 1
        let options: MQTTClient.Options
        do throws(DeliveryError) {
            options = try self.options()
        } catch {
            return lose(MQTTTrouble(kind: .passing, message: error.message))
        }
        let number = attempt
        resolver.resolve(settings.host, port: diagnosis.port) { [loop] result in
            loop.execute { self.assumeIsolated { $0.resolved(result, options, number) } }
        }
    }

    /// Files are read for each attempt: they may be put right, or renewed, while the station runs.
    private func options() throws(DeliveryError) -> MQTTClient.Options {
        let place = diagnosis.place
        var encryption: MQTTClient.TLS?
        if let tls = settings.tls {
            try MQTTFiles.check(tls.ca, "\(place).tls.ca")
            try MQTTFiles.check(tls.certificate, "\(place).tls.certificate")
            try MQTTFiles.check(tls.key, "\(place).tls.key")
            encryption = MQTTClient.TLS(
                ca: tls.ca, certificate: tls.certificate, key: tls.key, verify: tls.verify)
        }
        return MQTTClient.Options(
            clientID: diagnosis.clientID, protocolLevel: version.level,
            // Room for the messages of our own, so that they don't wait behind scans.
            inFlight: settings.inFlight + 16, username: settings.username,
            password: try SecretSource.read(
                file: settings.passwordFile, credential: settings.passwordCredential, place: place, what: "password"),
            tls: encryption, willTopic: topics.availability, willPayload: "offline")
    }

    private func resolved(
        _ result: Result<[SocketAddress], ResolveError>, _ options: MQTTClient.Options, _ number: UInt64
    ) {
        guard number == attempt, !isStopped else { return }
        switch result {
        case .failure(let error): lose(diagnosis.lookup(error.code))
        case .success(let addresses):
            raceTo(MQTTRoute.all(to: addresses, of: settings), options, number)
        }
    }

    /// The library takes the first address of a name, whether it answers or not: so each is a client's own, and the first one to be
    /// connected is the connection.
    private func raceTo(_ routes: [MQTTRoute], _ options: MQTTClient.Options, _ number: UInt64) {
        let race = AddressRace<MQTTClient, MQTTTrouble>(
            loop: loop, candidates: routes.count, timeout: limits.connectTimeout,
            open: { index in self.assumeIsolated { $0.open(routes[index], index, options, number) } },
            describe: { client, error in self.assumeIsolated { $0.diagnosis.unconnected(error, client) }
            },
            done: { result in self.assumeIsolated { $0.raced(result) } })
        self.race = race
        race.start()
    }

    private func open(
        _ route: MQTTRoute, _ index: Int, _ options: MQTTClient.Options, _ number: UInt64
    ) {
        let client: MQTTClient
        do throws(DeliveryError) {
            client = try MQTTClient(options)
        } catch {
            race?.opened(index, .failure(MQTTTrouble(kind: .passing, message: error.message)))
            return
        }
        let port = diagnosis.port
        let keepAlive = Int(settings.keepAlive.components.seconds)
        connector.execute { [loop] in
            let outcome = client.connect(to: route, port: port, keepAlive: keepAlive)
            loop.execute { self.assumeIsolated { $0.opened(client, outcome, index, number) } }
        }
    }

    private func opened(
        _ client: MQTTClient, _ outcome: MQTTClient.Outcome, _ index: Int, _ number: UInt64
    ) {
        guard number == attempt, !isStopped else { return }
        if outcome.isSuccess, client.socket >= 0 {
            race?.opened(index, .success((client, client.socket)))
        } else {
            let trouble = diagnosis.ended(outcome, hadAnswer: false, complaints: client.complaints)
            race?.opened(index, .failure(trouble))
        }
    }

    private func raced(_ result: Result<MQTTClient, AddressRace<MQTTClient, MQTTTrouble>.Lost>) {
        race = nil
        switch result {
        case .success(let client): connected(client)
        // Where IPv6 leads nowhere it fails first, and says nothing about the broker.
        case .failure(let lost) where lost.silent.isEmpty:
            lose(lost.failures.last?.problem ?? diagnosis.timedOut(after: limits.connectTimeout))
        case .failure: lose(diagnosis.timedOut(after: limits.connectTimeout))
        }
    }

    private func connected(_ client: MQTTClient) {
        let watch = loop.watch(client.socket, events: POLLIN | POLLOUT) { ready in
            self.assumeIsolated { $0.socketReady(ready) }
        }
        connection = Connection(client: client, watch: watch)
        setTimer(.deadline, after: limits.connectTimeout) { output in
            output.lose(output.diagnosis.timedOut(after: output.limits.connectTimeout))
        }
        keepStepping()
        updateInterest()
    }

    // MARK: A network that changes

    /// An attempt that is under way may have begun without one, and the kernel's own next try may be many seconds away.
    func knockAgain() {
        guard let race else { return }
        race.cancel()
        self.race = nil
        attemptLink()
    }

    /// What is under way comes again on the next one.
    func leaveLostConnection() {
        guard let socket = connection?.client.socket, socket >= 0 else { return }
        guard TCPSocket.hasLostAddress(socket) || TCPSocket.isUnanswered(socket) else { return }
        lose(diagnosis.networkChanged())
    }

    private func keepStepping() {
        setTimer(.step, after: limits.stepInterval) {
            $0.keepStepping()
            $0.step()
        }
    }

    private func socketReady(_ ready: Int16) {
        // Of a connect that failed only the socket knows why; the library asks it for its next error.
        if let connection, connection.acceptedAt == nil, Int32(ready) & (POLLERR | POLLHUP) != 0 {
            var code: Int32 = 0
            var length = socklen_t(MemoryLayout<Int32>.size)
            if getsockopt(connection.client.socket, SOL_SOCKET, SO_ERROR, &code, &length) == 0, code != 0 {
                let outcome = MQTTClient.Outcome.system(code)
                return lose(diagnosis.ended(outcome, hadAnswer: false, complaints: connection.client.complaints))
            }
        }
        step()
    }

    private func step() {
        guard let client = connection?.client else { return }
        let outcome = client.step()
        for notice in client.takeNotices() {
            handle(notice)
            // One of them may have ended this connection.
            guard connection?.client === client else { return }
        }
        guard outcome.isSuccess else {
            ended(outcome, client)
            return
        }
        updateInterest()
    }

    private func handle(_ notice: MQTTNotice) {
        switch notice {
        case .connected(0): accepted()
        case .connected(let reason): refused(reason)
        case .disconnected(142):
            takeovers += 1
            lose(diagnosis.takenOver(times: takeovers))
        case .disconnected(let reason) where reason >= 128: lose(diagnosis.dismissed(reason))
        case .disconnected: break  // The step's own result says it better.
        case .published(let id, let reason): published(id: id, reason: reason)
        case .subscribed(let id, let granted): subscribed(id: id, granted: granted)
        case .received(let message): received(message)
        }
    }

    private func accepted() {
        connection?.acceptedAt = EventLoop.now()
        notes = []
        cancelTimer(.deadline)
        setTimer(.stable, after: limits.stableAfter) { output in
            output.takeovers = 0
            output.shortLives = 0
            output.restLink()
        }
        subscribe()
        post(MQTTClient.Publication(topic: topics.availability, payload: Array("online".utf8), isRetained: true))
        announce()
        showReady()
    }

    /// What a broker keeps for others, and may have lost.
    func announce() {
        if let discovery {
            post(
                MQTTClient.Publication(
                    topic: topics.discovery, payload: discovery.payload.bytes, isRetained: true))
        }
        for event in lastStates.sorted(by: { $0.key < $1.key }).map(\.value) {
            for publication in messages.lasting(event) { post(publication) }
        }
    }

    private func refused(_ reason: Int32) {
        // 1 (MQTT 3.1.1) and 132 (MQTT 5): the broker doesn't know MQTT 5.
        if reason == 1 || reason == 132, version.refused() {
            close()
            return attemptLink()
        }
        lose(diagnosis.refused(reason))
    }

    private func ended(_ outcome: MQTTClient.Outcome, _ client: MQTTClient) {
        let complaints = client.complaints
        version.ended(wasAccepted: connection?.acceptedAt != nil)
        guard let acceptedAt = connection?.acceptedAt else {
            return lose(diagnosis.ended(outcome, hadAnswer: false, complaints: complaints))
        }
        // MQTT 5 has a reason for this (142), but brokers don't always give it (mosquitto 2.0.11 doesn't).
        if acceptedAt.duration(to: EventLoop.now()) < limits.shortLife {
            shortLives += 1
            if shortLives >= limits.shortLives { return lose(diagnosis.closedSoon(times: shortLives)) }
        } else {
            shortLives = 0
        }
        lose(diagnosis.ended(outcome, hadAnswer: true, complaints: complaints))
    }

    /// There is no connection, or none any more: say so, fail what was under way, and try again later.
    func lose(_ trouble: MQTTTrouble) {
        // A broker that can't even be connected to has been stopped: no fight over the id.
        if connection?.acceptedAt == nil { shortLives = 0 }
        close()
        guard !isStopped else { return }
        figures.lastError = trouble.message
        status.set(.waiting, detail: trouble.message)
        if trouble.kind != linkKind {
            linkKind = trouble.kind
            resetLink(policy: trouble.kind == .passing ? limits.reconnect : limits.refused)
        }
        // A link that has rested since a success starts again; one that is still at it lets its waits grow.
        linkLost()
        failBatch(trouble.message)
    }

    /// After a success: the next wait is the shortest again.
    func restLink() {
        linkKind = .passing
        resetLink(policy: limits.reconnect)
    }

    /// The client goes, with all that it has queued.
    func close() {
        race?.cancel()
        race = nil
        if let connection { loop.unwatch(connection.watch) }
        connection = nil
        for kind in timers.keys { cancelTimer(kind) }
        if let waiting = farewell {
            farewell = nil
            waiting.done.resume()
        }
    }

    /// `offline`, by ourselves: the last will is for ends that nobody planned.
    func sayFarewell() async {
        guard connection?.acceptedAt != nil,
            let id = post(
                MQTTClient.Publication(topic: topics.availability, payload: Array("offline".utf8), isRetained: true))
        else { return }
        await withCheckedContinuation { done in
            farewell = (id, done)
            setTimer(.farewell, after: limits.farewellTimeout) { $0.close() }
        }
    }

    /// Publishes something that no one waits for; `nil` if it can't be: it comes again after the next connect, or is late.
    @discardableResult
    func post(_ publication: MQTTClient.Publication) -> Int32? {
        guard let client = connection?.client, connection?.acceptedAt != nil else { return nil }
        defer { updateInterest() }
        return try? client.publish(publication).get()
    }

    func showReady() { status.set(.ready, detail: notes.isEmpty ? nil : notes.joined(separator: "; ")) }

    func updateInterest() {
        guard let connection else { return }
        loop.setEvents(connection.client.wantsWrite ? POLLIN | POLLOUT : POLLIN, of: connection.watch)
    }

    // MARK: Timers

    func setTimer(
        _ kind: TimerKind, after wait: Duration, _ handler: @escaping @Sendable (isolated MQTTOutput) -> Void
    ) {
        cancelTimer(kind)
        timers[kind] = loop.setTimer(at: EventLoop.now().advanced(by: wait)) {
            self.assumeIsolated {
                $0.timers[kind] = nil
                handler($0)
            }
        }
    }

    func cancelTimer(_ kind: TimerKind) {
        if let id = timers.removeValue(forKey: kind) { loop.cancelTimer(id) }
    }
}
