import Glibc
import Linux
import Wire

/// Where the running console listens, as it leaves it in its folder for `scanstation console link`.
package struct ConsolePlace: Hashable, Sendable {
    static let name = "running.json"

    package var port: Int
    package var isOnNetwork: Bool
    package var process: Int32

    package init(port: Int, isOnNetwork: Bool, process: Int32 = getpid()) {
        (self.port, self.isOnNetwork, self.process) = (port, isOnNetwork, process)
    }

    /// `nil`: no console runs, or it ended without a word.
    package init?(in folder: ConsoleFolder) {
        guard let bytes = try? folder.read(Self.name), let value = try? JSONValue(parsing: bytes),
            let port = value["port"]?.integerValue, (1...65_535).contains(port),
            let process = value["pid"]?.integerValue.flatMap(Int32.init(exactly:)), process > 0,
            let isOnNetwork = value["network"]?.boolValue, kill(process, 0) == 0 || errno == EPERM
        else { return nil }
        self.init(port: Int(port), isOnNetwork: isOnNetwork, process: process)
    }

    package func leave(in folder: ConsoleFolder) throws(AccessError) {
        let value: JSONValue = [
            "port": .integer(Int64(port)), "network": .bool(isOnNetwork), "pid": .integer(Int64(process)),
        ]
        try folder.write(Self.name, value.bytes)
    }

    package static func clear(in folder: ConsoleFolder) { _ = folder.remove(name) }

    /// The addresses of the page, the one that is said first.
    package var addresses: [String] { MachineNames.pages(port: port, isOnNetwork: isOnNetwork) }
}
