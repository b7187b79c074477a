import Glibc

/// How there come to be peers: connecting, or listening.
extension TCPOutput {
    /// Closes what leads to new peers.
    func closeLink() {
        connector?.cancel()
        connector = nil
        provenTimer.map(loop.cancelTimer)
        provenTimer = nil
        for listener in listeners { loop.unwatch(listener.watch) }
        listeners = []
    }

    /// What a person should know though it works.
    var readyDetail: String? {
        guard plan.settings.role == .server else { return nil }
        return "listening on \(addresses.map(\.description).joined(separator: ", "))"
    }

    func attemptLink() {
        let isPassive = plan.settings.role == .server
        if status.current.state == .idle {
            status.set(isPassive ? .waiting : .connecting, detail: isPassive ? nil : "to \(plan.target)")
        }
        resolver.resolve(plan.settings.host, port: plan.settings.port, isPassive: isPassive) { [loop] result in
            loop.execute { self.assumeIsolated { $0.resolved(result) } }
        }
    }

    private func resolved(_ result: Result<[SocketAddress], ResolveError>) {
        guard !isStopped else { return }
        switch result {
        case .failure(let error):
            failed(
                "cannot resolve \"\(plan.settings.host)\" (\(error.text)): check \(plan.place).host and the network's name "
                    + "server")
        case .success(let addresses) where plan.settings.role == .server: listen(on: addresses)
        case .success(let addresses): connect(to: addresses)
        }
    }

    private func connect(to addresses: [SocketAddress]) {
        let connector = TCPConnector(
            loop: loop, addresses: addresses, timeout: plan.settings.connectTimeout
        ) { result in
            self.assumeIsolated { $0.connected(result) }
        }
        self.connector = connector
        connector.start()
    }

    /// After a change of the network: an attempt that is under way may have begun without one, and the kernel's own next try may be
    /// many seconds away.
    func knockAgain() {
        guard let connector else { return }
        connector.cancel()
        self.connector = nil
        attemptLink()
    }

    private func failed(_ message: String) {
        waiting(message)
        feedLink(.failed)
    }

    private func waiting(_ message: String) {
        figures.lastError = message
        status.set(.waiting, detail: message)
    }

    // MARK: Client

    private func connected(_ result: Result<Descriptor, DeliveryError>) {
        connector = nil
        switch result {
        case .failure(let error): failed("cannot connect to \(plan.target): \(error.message)")
        case .success(let descriptor):
            welcome(descriptor)
            // A host that takes connections and closes them at once is asked less and less often.
            provenTimer = loop.setTimer(at: EventLoop.now().advanced(by: limits.provenAfter)) {
                self.assumeIsolated { $0.proven() }
            }
            status.set(.ready, detail: readyDetail)
        }
    }

    private func proven() {
        provenTimer = nil
        feedLink(.succeeded)
    }

    /// The connection is over; a server has others, and goes on listening.
    func lost(_ why: String) {
        guard !isStopped else { return }
        guard plan.settings.role == .client else {
            if peers.isEmpty { status.set(.waiting, detail: nobody) }
            return
        }
        provenTimer.map(loop.cancelTimer)
        provenTimer = nil
        waiting("the connection to \(plan.target) is over (\(why)); connecting again")
        linkLost()
    }

    // MARK: Server

    private var nobody: String {
        "listening on \(addresses.map(\.description).joined(separator: ", ")); nobody is connected: scans wait"
    }

    private func listen(on addresses: [SocketAddress]) {
        for address in addresses {
            switch TCPSocket.listen(on: address, isAlone: addresses.count == 1) {
            case .success(let descriptor):
                let number = descriptor.number
                let watch = loop.watch(number, events: POLLIN) { _ in self.assumeIsolated { $0.accept(number) } }
                listeners.append((descriptor, watch))
            case .failure(let error):
                closeLink()
                return failed(describe(error, address))
            }
        }
        feedLink(.succeeded)
        status.set(.waiting, detail: nobody)
    }

    private func describe(_ error: SystemError, _ address: SocketAddress) -> String {
        let advice =
            switch error.code {
            case EADDRINUSE:
                "another program has the port (ss -ltnp shows it): stop it, or set another \(plan.place).port"
            case EADDRNOTAVAIL: "this machine has no such address (yet): correct \(plan.place).host"
            case EACCES: "ports below 1024 need a privilege (CAP_NET_BIND_SERVICE): set a higher \(plan.place).port"
            default: error.text
            }
        return "cannot listen on \(address): \(advice)"
    }

    private func accept(_ number: Int32) {
        while !isStopped {
            let accepted = Glibc.accept(number, nil, nil)
            guard accepted >= 0 else {
                if errno == EINTR || errno == ECONNABORTED { continue }
                if errno != EAGAIN { pauseAccepting(SystemError()) }
                return
            }
            let descriptor = Descriptor(accepted)
            descriptor.makeNonBlocking()
            guard peers.count < plan.settings.maxClients else {
                turnAway(descriptor)
                continue
            }
            welcome(descriptor)
            status.set(.ready, detail: readyDetail)
        }
    }

    private func pauseAccepting(_ error: SystemError) {
        figures.lastError = "cannot accept a connection: \(error.text)"
        // The connection stays in the kernel's queue, which would be reported again and again.
        for listener in listeners { loop.setEvents(0, of: listener.watch) }
        _ = loop.setTimer(at: EventLoop.now().advanced(by: limits.acceptPause)) {
            self.assumeIsolated { output in
                for listener in output.listeners { output.loop.setEvents(POLLIN, of: listener.watch) }
            }
        }
    }
}
