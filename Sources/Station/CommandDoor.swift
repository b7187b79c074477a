import Settings
import Synchronization
import Wire

/// Where the control socket's commands enter. The socket is made before the station that answers them.
final class CommandDoor: Sendable {
    private let owner = Mutex<WeakStation>(WeakStation())

    private struct WeakStation: Sendable { weak var station: Station? }

    var station: Station? {
        get { owner.withLock { $0.station } }
        set { owner.withLock { $0.station = newValue } }
    }

    func answer(_ command: Command, from client: ClientID) async -> Reply {
        guard let station else { return Reply(command: command.name, error: "the station is stopping") }
        return await station.perform(command, from: client.door, client: client)
    }

    func preview(_ request: PreviewRequest, secrets: SecretPolicy) async -> PreviewReply {
        guard let station else {
            return PreviewReply(Reply(command: "preview", error: "the station is stopping"))
        }
        return await station.preview(request, secrets: secrets)
    }
}
