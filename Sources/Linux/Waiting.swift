import Glibc
import Vocabulary

/// Calls a system function again for as long as a signal interrupts it.
package func uninterrupted<Count: SignedInteger>(_ call: () -> Count) -> Count {
    while true {
        let count = call()
        if count >= 0 || errno != EINTR { return count }
    }
}

extension pollfd {
    /// - Parameter events: of poll(2); hang-up and error are always reported.
    package init(_ descriptor: Int32, _ events: Int32 = POLLIN) {
        self.init(fd: descriptor, events: Int16(events), revents: 0)
    }
}

/// Whether one of several descriptors is ready, as its `revents` then says; a negative one is passed over.
/// - Parameter deadline: how long to wait; `nil`: for as long as it takes.
package func anyIsReady(_ polled: inout [pollfd], until deadline: Instant? = nil) -> Bool {
    uninterrupted { poll(&polled, nfds_t(polled.count), milliseconds(until: deadline)) } > 0
}

/// Whether a descriptor is ready; waits at most this long.
package func isReady(_ descriptor: Int32, _ events: Int32 = POLLIN, within wait: Duration = .zero) -> Bool {
    isReady(descriptor, events, until: Instant.now.advanced(by: wait))
}

/// - Parameter deadline: how long to wait; `nil`: for as long as it takes.
package func isReady(_ descriptor: Int32, _ events: Int32 = POLLIN, until deadline: Instant?) -> Bool {
    var polled = pollfd(descriptor, events)
    return uninterrupted { poll(&polled, 1, milliseconds(until: deadline)) } > 0
}

/// As poll(2) wants it; rounded up, as who wakes too early would spin.
private func milliseconds(until deadline: Instant?) -> Int32 {
    guard let deadline else { return -1 }
    let (left, isTooMuch) = deadline.nanoseconds.subtractingReportingOverflow(Instant.now.nanoseconds)
    guard !isTooMuch else { return deadline > .zero ? .max : 0 }
    return left > 0 ? Int32(clamping: (left - 1) / 1_000_000 + 1) : 0
}
