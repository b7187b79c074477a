import GRDB

/// A second pair of eyes on a journal's file, and a hand that spoils it.
enum RawDatabase {
    static func run(_ path: String, _ sql: String) throws {
        let queue = try DatabaseQueue(path: path)
        defer { try? queue.close() }
        try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
    }

    static func int(_ path: String, _ sql: String) throws -> Int? {
        var configuration = Configuration()
        configuration.readonly = true
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        defer { try? queue.close() }
        return try queue.inDatabase { try Int.fetchOne($0, sql: sql) }
    }
}
