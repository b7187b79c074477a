import CLinux
import Glibc
import Linux
import Vocabulary

/// Tells when links, addresses or routes of this machine change: a cable is plugged in again, Wi-Fi is back. So nobody waits out a back-off
/// that grew while the network was dead.
///
/// The kernel reports one of these changes in many messages; this class makes them one.
package actor NetworkWatch {
    /// How long changes are gathered: a link is up some time before its address and routes are there.
    static let gatheringTime: Duration = .seconds(1)

    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private nonisolated let loop = EventLoop()
    private let gatheringTime: Duration
    private let onChange: @Sendable () -> Void
    private var socket: Descriptor?
    private var watch: Int?
    private var timer: Int?

    package init(onChange: @escaping @Sendable () -> Void) {
        self.init(gatheringTime: Self.gatheringTime, onChange: onChange)
    }

    init(gatheringTime: Duration, onChange: @escaping @Sendable () -> Void) {
        self.gatheringTime = gatheringTime
        self.onChange = onChange
    }

    /// `false` if the kernel has no such socket: then back-offs just run out.
    @discardableResult
    package func start() -> Bool {
        let number = CLinux_network_watch()
        guard number >= 0 else { return false }
        start(reading: Descriptor(number))
        return true
    }

    func start(reading socket: Descriptor) {
        self.socket = socket
        watch = loop.watch(socket.number, events: POLLIN) { _ in self.assumeIsolated { $0.changed() } }
    }

    package func stop() {
        watch.map(loop.unwatch)
        timer.map(loop.cancelTimer)
        (watch, timer, socket) = (nil, nil, nil)
    }

    private func changed() {
        // It doesn't matter what exactly changed, or what didn't fit into the socket's buffer (ENOBUFS).
        reading: while let socket {
            switch socket.read(limit: 16_384) {
            case .bytes: continue
            case .nothing: break reading
            case .failed(let error) where error.code == ENOBUFS: continue
            case .end, .failed:
                watch.map(loop.unwatch)
                watch = nil
                break reading
            }
        }
        guard timer == nil else { return }
        timer = loop.setTimer(at: Instant.now.advanced(by: gatheringTime)) { self.assumeIsolated { $0.tell() } }
    }

    private func tell() {
        timer = nil
        onChange()
    }
}
