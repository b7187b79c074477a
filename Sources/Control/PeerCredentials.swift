import Glibc

/// Who is at the other end, as the kernel says (SO_PEERCRED): at the time of the connect.
package struct PeerCredentials: Hashable, Sendable {
    package var processID: Int32
    package var userID: UInt32
    package var groupID: UInt32

    package init(processID: Int32, userID: UInt32, groupID: UInt32) {
        self.processID = processID
        self.userID = userID
        self.groupID = groupID
    }

    /// `struct ucred` is three 32-bit numbers; Swift's Glibc lacks it.
    init?(socket: Int32) {
        var numbers: [UInt32] = [0, 0, 0]
        var length = socklen_t(numbers.count * MemoryLayout<UInt32>.size)
        guard getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &numbers, &length) == 0 else { return nil }
        self.init(processID: Int32(bitPattern: numbers[0]), userID: numbers[1], groupID: numbers[2])
    }
}
