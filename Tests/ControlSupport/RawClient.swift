import Control
import Glibc
import TestSupport
import Wire

/// A client that knows nothing of ours but the socket.
package enum RawClient {
    /// `nil` if nobody answers. `receiveBuffer`: bytes the kernel holds for it, for a client that is to be slow.
    package static func connect(_ path: String) -> ByteEnd? {
        let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let status = SocketPath.withAddress(path) { Glibc.connect(number, $0, $1) }
        guard status == 0 else {
            close(number)
            return nil
        }
        return ByteEnd(number)
    }
}

extension ByteEnd {
    package func ask(_ line: String) async -> JSONValue? {
        await write(line + "\n")
        return await readJSON()
    }

    package func readJSON() async -> JSONValue? {
        guard let line = await readLine() else { return nil }
        return try? JSONValue(parsing: Array(line.utf8))
    }

    /// Says that it will send nothing more.
    package func endSending() { shutdown(number, Int32(SHUT_WR)) }
}
