import Glibc

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

/// Whether a descriptor is ready; waits at most this many milliseconds: 0 not at all, negative for as long as it takes.
package func isReady(_ descriptor: Int32, _ events: Int32 = POLLIN, milliseconds: Int32 = 0) -> Bool {
    var polled = pollfd(descriptor, events)
    return uninterrupted { poll(&polled, 1, milliseconds) } > 0
}
