import Glibc
import TestSupport
import Wire

@testable import Delivery

/// A client that knows nothing of ours but the socket.
enum RawClient {
    /// `nil` if nobody answers. `receiveBuffer`: bytes the kernel holds for it, for a client that is to be slow.
    static func connect(_ path: String) -> ByteEnd? {
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
    func ask(_ line: String) async -> JSONValue? {
        await write(line + "\n")
        return await readJSON()
    }

    func readJSON() async -> JSONValue? {
        guard let line = await readLine() else { return nil }
        return try? JSONValue(parsing: Array(line.utf8))
    }

    /// Says that it will send nothing more.
    func endSending() { shutdown(number, Int32(SHUT_WR)) }
}
