import Control
import Wire

extension ControlClient {
    /// `send` with a limit that only a broken program reaches: with hundreds of tests at a time, an answer may take long.
    package func ask(_ command: Command) async throws -> JSONValue { try await send(command, timeout: .seconds(300)) }
}
