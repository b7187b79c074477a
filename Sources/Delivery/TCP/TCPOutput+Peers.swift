import Glibc
import Linux
import ScanCore
import Wire

/// Bytes to and from the peers.
extension TCPOutput {
    func welcome(_ descriptor: Descriptor) {
        TCPSocket.tune(descriptor, peerTimeout: limits.peerTimeout, sendBufferBytes: limits.kernelBytes)
        let id = ClientID(number: nextPeer, door: name)
        nextPeer += 1
        let address = SocketAddress(of: descriptor.number, getpeername)?.description ?? plan.target
        let peer = TCPPeer(
            id: id, descriptor: descriptor, address: address, maxLineBytes: limits.maxLineBytes,
            ledger: retired.recall(Self.host(of: address)) ?? OfferLedger(rule: answerRule))
        if plan.settings.receipt == .ack, plan.settings.lines == .template {
            // TCP repairs what a serial line garbles, so nothing is sent twice on one connection: NAK is the host's no. And it
            // ends with the connection: what is owed on one can't come on another.
            peer.line = AckLine(
                timeout: plan.settings.ackTimeout, retries: 0, answerLimit: Self.everOwed, holds: false,
                rule: answerRule)
        }
        peers[id] = peer
        peer.watch = loop.watch(descriptor.number, events: POLLIN) { ready in
            self.assumeIsolated { $0.handle(ready, id) }
        }
        offerCurrent(to: peer)
    }

    /// A client too many. Who reads JSON is told so.
    func turnAway(_ descriptor: Descriptor) {
        let message =
            "the station serves \(plan.settings.maxClients) clients here already (maxClients): close one, or raise the limit"
        figures.lastError = "a client was turned away: \(message)"
        guard plan.settings.lines == .json else { return }
        // The socket is fresh: a line fits into its buffer.
        _ = descriptor.write(Reply(command: "", error: message).line(), from: 0, isSocket: true)
    }

    /// An address without the port, which is another one each time.
    private static func host(of address: String) -> String {
        String(address[..<(address.lastIndex(of: ":") ?? address.endIndex)])
    }

    /// Nothing is forgiven while a connection lasts: it loses nothing.
    private static let everOwed: Duration = .seconds(1_000_000_000)

    /// Lets a peer go; what it was offered may be taken by others, or comes again.
    func close(_ peer: TCPPeer, _ why: String = "closed") {
        guard peers.removeValue(forKey: peer.id) != nil else { return }
        peer.watch.map(loop.unwatch)
        peer.watch = nil
        endOffer(to: peer)
        peer.outgoing = OutgoingLines()
        peer.isClosing = true
        if plan.settings.lines == .json { retired.retire(peer.ledger, of: Self.host(of: peer.address)) }
        TCPSocket.discardInput(peer.descriptor)
        shutdown(peer.descriptor.number, Int32(SHUT_RDWR))
        lost(why)
        withdrawn("\(peer.address): \(why)")
    }

    /// After a change of the network. What the kernel holds may still arrive once it gets through, and where that counts as
    /// delivered it comes from nowhere else: then it is given the time that it takes.
    func closeLostPeers() {
        for peer in peers.values {
            if TCPSocket.hasLostAddress(peer.descriptor.number) {
                close(peer, "the address that it was connected to from here is gone")
            } else if plan.settings.receipt == .ack, TCPSocket.isUnanswered(peer.descriptor.number) {
                close(peer, "the network changed, and nothing has come back since before that")
            }
        }
    }

    // MARK: Out

    /// Says that `record`, which is sent next, is the event under way.
    func offer(_ record: [UInt8], to peer: TCPPeer) {
        peer.offerEnd = peer.appended + record.count
        peer.hasTaken = false
        guard let scan = scanUnderWay else { return }
        peer.ledger.offered(scan, at: answerClock())
        step(peer, .send(scan: scan))
    }

    func endOffer(to peer: TCPPeer) {
        peer.offerEnd = nil
        // It has the record, or will get it, and answers it some time.
        step(peer, .abandon)
    }

    func send(_ bytes: [UInt8], to peer: TCPPeer) {
        guard peers[peer.id] != nil else { return }
        peer.append(bytes)
        flush(peer)
        let (waiting, waitingBytes) = (peer.outgoing.count, peer.outgoing.bytes)
        guard peers[peer.id] != nil, waiting > plan.settings.clientQueue || waitingBytes > limits.peerBytes,
            // A lone record that is larger than the limit must get through all the same.
            waiting > 1
        else { return }
        figures.slowClientsDropped += 1
        let message = "\(waiting) lines waited for it (clientQueue): the program there doesn't read"
        figures.lastError = "\(peer.address) was closed: \(message)"
        close(peer, message)
    }

    private func flush(_ peer: TCPPeer) {
        let descriptor = peer.descriptor
        var written = 0
        do {
            defer {
                peer.written += written
                figures.bytes += UInt64(written)
            }
            _ = try peer.outgoing.flush { line, offset in
                switch descriptor.write(line, from: offset, isSocket: true) {
                case .written(let count):
                    written += count
                    return count
                case .wouldBlock: return 0
                case .failed(let error): throw error
                }
            }
        } catch {
            // Not at once: what was received before, an answer perhaps, is still to be read.
            let id = peer.id
            let why = (error as? SystemError)?.text ?? "\(error)"
            loop.execute {
                self.assumeIsolated { output in
                    guard let peer = output.peers[id] else { return }
                    output.read(peer)
                    output.close(peer, why)
                }
            }
            return
        }
        if peer.isClosing, peer.outgoing.isEmpty { return close(peer, "closed here") }
        updateInterest(peer)
        guard let end = peer.offerEnd, peer.written >= end, !peer.hasTaken else { return }
        peer.hasTaken = true
        taken(by: peer)
    }

    func updateInterest(_ peer: TCPPeer) {
        guard let watch = peer.watch else { return }
        var events: Int32 = 0
        if !peer.isClosing, peer.commands.count < limits.peerCommands { events |= POLLIN }
        if !peer.outgoing.isEmpty { events |= POLLOUT }
        loop.setEvents(events, of: watch)
    }

    // MARK: In

    private func handle(_ ready: Int16, _ id: ClientID) {
        guard let peer = peers[id] else { return }
        if Int32(ready) & POLLOUT != 0 { flush(peer) }
        guard peers[id] != nil else { return }
        if Int32(ready) & (POLLIN | POLLHUP | POLLERR | POLLNVAL) != 0 { read(peer) }
    }

    /// One read a turn, so that a peer that floods us leaves the others theirs.
    func read(_ peer: TCPPeer) {
        guard peers[peer.id] != nil else { return }
        switch peer.descriptor.read(limit: 16_384) {
        case .bytes(let bytes):
            guard !peer.isClosing else { return }
            if plan.settings.lines == .json {
                take(peer.splitter.add(bytes), from: peer)
            } else {
                for byte in bytes { take(byte, from: peer) }
            }
        case .nothing: break
        case .end: close(peer, "the other side closed it")
        case .failed(let error): close(peer, error.text)
        }
    }
}
