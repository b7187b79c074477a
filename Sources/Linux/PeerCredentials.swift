import CLinux
import Glibc

/// Who is at the other end of a Unix socket, as the kernel says (SO_PEERCRED): at the time of the connect.
package struct PeerCredentials: Hashable, Sendable {
    package var processID: Int32
    package var userID: UInt32
    package var groupID: UInt32

    package init(processID: Int32, userID: UInt32, groupID: UInt32) {
        self.processID = processID
        self.userID = userID
        self.groupID = groupID
    }

    package init?(socket: Int32) {
        self.init(processID: 0, userID: 0, groupID: 0)
        guard CLinux_peer_credentials(socket, &processID, &userID, &groupID) == 0 else { return nil }
    }

    /// Whether the socket at `path` is trustworthy if this one serves it: a process of this user, of root, of `service`, or of the one user
    /// who may write to the folder. In `/tmp` anybody can put a socket where another one is expected.
    /// - Parameter service: the name of a service's user.
    package func mayServe(_ path: String, service: String, user: uid_t = geteuid()) -> Bool {
        if userID == user || userID == 0 || userID == Accounts.userID(service) { return true }
        var status = stat()
        return stat(WholeFile.folder(of: path), &status) == 0 && status.st_uid == userID
            && status.st_mode & S_IWOTH == 0
    }
}
