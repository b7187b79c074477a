import TestSupport
import Wire

extension ByteEnd {
    package func ask(_ line: String) async -> JSONValue? {
        await write(line + "\n")
        return await readJSON()
    }

    package func readJSON() async -> JSONValue? {
        guard let line = await readLine() else { return nil }
        return try? JSONValue(parsing: Array(line.utf8))
    }
}
