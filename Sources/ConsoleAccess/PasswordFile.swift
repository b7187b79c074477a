/// The file with the password's hash. No file: no password is set.
package struct PasswordFile: Sendable {
    static let name = "password"
    package let folder: ConsoleFolder

    package init(_ folder: ConsoleFolder) { self.folder = folder }

    /// `nil`: no password is set. Throws if there is a file that can't be read or isn't a hash: nobody gets in by a damaged one.
    package func read() throws(AccessError) -> PasswordHash? {
        guard let bytes = try folder.read(Self.name) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self).split(separator: "\n").first.map(String.init) ?? ""
        guard let hash = PasswordHash(text) else {
            throw AccessError(
                "\(folder.path)/\(Self.name) isn't a password's hash: set the password again with `scanstation console password`"
            )
        }
        return hash
    }

    package func write(_ hash: PasswordHash) throws(AccessError) {
        try folder.write(Self.name, Array("\(hash)\n".utf8))
    }

    /// Whether one was set.
    package func remove() -> Bool { folder.remove(Self.name) }
}
