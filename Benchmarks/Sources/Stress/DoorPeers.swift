import CLinux
import Foundation
import Synchronization
import TestSupport

/// A serial line's other end that stays plugged in.
struct SerialDoor {
    let device: String
    private let host: ByteDoorHost
    /// Held open, so that the host's end doesn't hang up between two stations.
    private let port: Int32

    init(device: String, seed: UInt64, record: DoorRecord) throws {
        self.device = device
        let line = try PseudoTerminal(device: device)
        _ = fcntl(line.host, F_SETFL, O_NONBLOCK)
        port = line.port
        host = ByteDoorHost("serial", seed: seed, record: record)
        host.attach(line.host)
    }

    func end() {
        host.end()
        close(port)
    }
}

/// A serial device server that listens.
final class TCPDoor: Sendable {
    let port: Int
    private let listener: Int32
    private let host: ByteDoorHost

    init(seed: UInt64, record: DoorRecord) throws {
        (listener, port) = try LoopbackSocket.listen()
        host = ByteDoorHost("tcp", seed: seed, record: record)
        Thread { [self] in
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0 else { return }
                _ = fcntl(client, F_SETFD, FD_CLOEXEC)
                _ = fcntl(client, F_SETFL, O_NONBLOCK)
                host.attach(client)
            }
        }.start()
    }

    func end() {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
        host.end()
    }
}

/// A program on the station's socket. It connects again whenever the connection ends, and ends it itself now and then.
final class UnixDoor: Sendable {
    let path: String
    /// How many answers crossed the next scan, and the station replied to.
    var crossings: Int { crossed.load(ordering: .relaxed) }
    private let crossed = Atomic<Int>(0)
    private let isEnded = Atomic<Bool>(false)
    private let done = DispatchSemaphore(value: 0)

    init(path: String, seed: UInt64, record: DoorRecord) {
        self.path = path
        let host = JSONDoorHost(
            output: "unix", record: record,
            accept: { id, isAccepted in
                let name = id.map { #","id":"\#($0)""# } ?? ""
                return #"{"command":"\#(isAccepted ? "accept" : "refuse")"\#(name)}"#
            }, leavesIDsOut: true)
        Thread { [self] in
            var random = SplitMix(seed: seed)
            var passedOver: Set<String> = []
            while !isEnded.load(ordering: .relaxed) {
                if let descriptor = UnixSocket.connect(path) {
                    serve(descriptor, host, &passedOver, &random)
                    close(descriptor)
                }
                usleep(5000)
            }
            done.signal()
        }.start()
    }

    private func serve(
        _ descriptor: Int32, _ host: JSONDoorHost, _ passedOver: inout Set<String>, _ random: inout SplitMix
    ) {
        // Seldom after the first: scans that are never answered leave nothing that an answer without an id could count for.
        var crossing: CrossingAnswer? = crossings == 0 || random.next() % 8 == 0 ? CrossingAnswer() : nil
        var incoming = IncomingBytes()
        while !isEnded.load(ordering: .relaxed) {
            var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard Glibc.poll(&poll, 1, 50) > 0 else { continue }
            guard incoming.fill(from: descriptor) > 0 else { return }
            while let bytes = incoming.line() {
                let line = Substring(decoding: bytes, as: UTF8.self)
                if crossing?.isSaid == true, StationRun.isReply(line) {
                    crossing = nil
                    crossed.add(1, ordering: .relaxed)
                }
                guard let scan = DeliveryRecord.parse(json: line) else { continue }
                if crossing != nil {
                    let held = crossing?.offered(scan.id)
                    // Written down before the answer is under way: a connection that ends here is still followed by others.
                    passedOver.formUnion(crossing?.passedOver ?? [])
                    guard let held else { continue }
                    let bytes = Array((host.unnamed(held) + "\n").utf8)
                    guard send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else { return }
                    continue
                }
                if passedOver.contains(scan.id) { continue }
                // At once: a station can recognise a second answer without an id only if it comes right after the first.
                let bytes = Array(host.lines(for: scan.id, &random).map { $0 + "\n" }.joined().utf8)
                guard send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else { return }
                if random.next() % 40 == 0 { return }
            }
        }
    }

    func end() {
        isEnded.store(true, ordering: .relaxed)
        done.wait()
    }
}

/// A program behind a broker.
final class BrokerDoor: Sendable {
    private let publisher: ChildProcess
    private let input: Int32
    private let isEnded = Atomic<Bool>(false)
    private let done = DispatchSemaphore(value: 0)

    /// Scans that came and weren't answered yet.
    private final class Queue: Sendable {
        private let scans = Mutex<[String]>([])

        func add(_ scan: String) { scans.withLock { $0.append(scan) } }

        func next() -> String? { scans.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
    }

    init(_ broker: Broker, folder: String, seed: UInt64, record: DoorRecord) throws {
        guard let program = Spawn.find("mosquitto_pub"), let listener = Spawn.find("mosquitto_sub") else {
            throw BenchmarkFailure("this needs mosquitto's clients, and \(Broker.installation)")
        }
        let address = ["-h", "127.0.0.1", "-p", String(broker.port)]
        var ends: [Int32] = [-1, -1]
        guard CLinux_pipe(&ends) == 0 else { throw BenchmarkFailure("no pipe") }
        input = ends[1]
        publisher = try ChildProcess(
            program, address + ["-q", "1", "-t", StressStationCommand.topic + "/answer", "-l"], standardInput: ends[0],
            log: folder + "/publisher.log")
        close(ends[0])
        let host = JSONDoorHost(
            output: "mqtt", record: record,
            accept: { id, isAccepted in
                let name = id.map { #","id":"\#($0)""# } ?? ""
                return #"{"accept":\#(isAccepted)\#(name)}"#
            }, leavesIDsOut: false)
        let queue = Queue()
        let (client, reading) = try ChildLines.read { output in
            try ChildProcess(
                listener, address + ["-q", "1", "-t", StressStationCommand.topic + "/scan"], standardOutput: output,
                log: folder + "/listener.log")
        } _: { line in
            if let scan = DeliveryRecord.parse(json: line) { queue.add(scan.id) }
        }
        Thread { [self] in
            var random = SplitMix(seed: seed)
            while !isEnded.load(ordering: .relaxed) {
                guard let scan = queue.next() else {
                    usleep(1000)
                    continue
                }
                for line in host.lines(for: scan, &random) {
                    let bytes = Array((line + "\n").utf8)
                    _ = write(input, bytes, bytes.count)
                }
            }
            client.end(SIGKILL)
            reading.join()
            done.signal()
        }.start()
    }

    func end() {
        isEnded.store(true, ordering: .relaxed)
        done.wait()
        close(input)
        publisher.end(SIGKILL)
    }
}
