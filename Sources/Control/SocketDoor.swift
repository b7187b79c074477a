import Glibc
import Linux
import Settings
import Wire

/// Whom a socket lets in, and what it takes from them.
package struct SocketDoor: Sendable {
    /// The commands that it takes.
    package var access: CommandAccess
    /// Users whose processes may connect; `nil`: those that the file's mode lets in.
    package var users: Set<UInt32>?
    /// The most that a client may ask to see of secrets; `nil`: what the socket shows anyway.
    package var secretsLimit: SecretPolicy?
    /// Where pictures come from; `nil`: there are none.
    package var pictures: PreviewHandler?
    /// Hears of a refusal that names no scan and may mean any of several; the client is told that it doesn't count.
    package var object: @Sendable () -> Void

    package init(
        access: CommandAccess = .control, users: Set<UInt32>? = nil, secretsLimit: SecretPolicy?,
        pictures: PreviewHandler? = nil, object: @escaping @Sendable () -> Void = {}
    ) {
        self.access = access
        self.users = users
        self.secretsLimit = secretsLimit
        self.pictures = pictures
        self.object = object
    }

    /// The console's: for root, the station's own user, and the one that is configured, if this machine knows it.
    package static func console(
        _ settings: ConsoleSettings, userID: UInt32 = geteuid(), pictures: PreviewHandler?
    ) -> SocketDoor {
        var users: Set<UInt32> = [0, userID]
        if let console = Accounts.userID(settings.user) { users.insert(console) }
        return SocketDoor(
            access: .console(movesDoor: settings.door), users: users, secretsLimit: .revealed, pictures: pictures)
    }

    /// Why the process that connected isn't let in; `nil`: it is.
    func refusal(of peer: PeerCredentials?) -> String? {
        guard let users else { return nil }
        guard let peer else { return "this socket is for the console, and the system doesn't say who you are" }
        guard !users.contains(peer.userID) else { return nil }
        return
            "this socket is for the console: user \"\(Files.userName(peer.userID))\" may not use it (console.user); use the "
            + "control socket"
    }
}

extension SecretPolicy {
    /// Whether it shows no more than `limit`.
    package func isAtMost(_ limit: SecretPolicy) -> Bool { rank <= limit.rank }

    private var rank: Int {
        switch self {
        case .withheld: 0
        case .asConfigured: 1
        case .revealed: 2
        }
    }
}
