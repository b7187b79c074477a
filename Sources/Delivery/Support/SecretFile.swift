import Glibc
import Linux
import Settings
import Vocabulary

/// Where a password, token or key comes from: a file, or a systemd credential (`LoadCredential=`, a file of that name in
/// `$CREDENTIALS_DIRECTORY`). Never the configuration itself, which people show each other.
///
/// Read at every use, so that a new secret needs no restart. Blocks: don't call it on the cooperative pool if the file may be on a network.
enum SecretSource {
    /// A longer file must be the wrong file.
    static let maxBytes = 65_536

    /// The secret's first line; `nil` if neither is set. `place` is the section of the configuration (`outputs[1].mqtt`) and
    /// `what` the secret (`password`), for messages: the keys are `what` followed by `File` and `Credential`.
    static func read(file: String?, credential: String?, place: String, what: String) throws(DeliveryError) -> String? {
        guard let source = try find(file, credential, place, what) else { return nil }
        let line = try source.content().prefix { $0 != UInt8(ascii: "\n") }
        let bytes = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw DeliveryError(.badSetting, "\(source.key): the first line of \(source.path) is not UTF-8 text")
        }
        guard !text.isEmpty else {
            throw DeliveryError(.badSetting, "\(source.key): the first line of \(source.path) is empty")
        }
        return text
    }

    /// The secret's whole content without a final line feed, for keys that may be any bytes.
    static func readBytes(
        file: String?, credential: String?, place: String, what: String
    ) throws(DeliveryError) -> [UInt8]? {
        guard let source = try find(file, credential, place, what) else { return nil }
        var bytes = try source.content()
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        guard !bytes.isEmpty else { throw DeliveryError(.badSetting, "\(source.key): \(source.path) is empty") }
        return bytes
    }

    /// A warning if everybody on this machine may read the file; systemd takes care of credentials.
    static func warning(file: String?, place: String, what: String) -> String? {
        var status = stat()
        guard let file, stat(file, &status) == 0, status.st_mode & S_IROTH != 0 else { return nil }
        return "\(place).\(what)File: everybody on this machine can read \(file): sudo chmod o= \(file)"
    }

    /// What can't work, whatever the files contain.
    static func problems(file: String?, credential: String?, place: String, what: String) -> [SettingProblem] {
        guard let credential else { return [] }
        let path = "\(place).\(what)Credential"
        if file != nil {
            return [
                SettingProblem(
                    path: path, message: "\(place).\(what)File and \(path) are both set: remove one of them")
            ]
        }
        if credential.isEmpty || credential.contains("/") || credential == "." || credential == ".." {
            return [SettingProblem(at: path, "\"\(credential)\" is not the name of a credential")]
        }
        return []
    }

    private struct Source {
        var key: String
        var path: String

        func content() throws(DeliveryError) -> [UInt8] {
            switch Files.read(path, limit: SecretSource.maxBytes) {
            case .bytes(let bytes): return bytes
            case .tooLong:
                throw DeliveryError(
                    .badSetting,
                    "\(key): \(path) is longer than \(SecretSource.maxBytes) bytes (maxBytes): is it the right file?")
            case .missing(let error), .notAFile(let error), .failed(let error): throw failed(error)
            }
        }

        private func failed(_ error: SystemError) -> DeliveryError {
            switch error.code {
            case ENOENT, ENOTDIR:
                DeliveryError(.noSuchDevice, "\(key): no such file \(path): make it, or correct the path")
            case EACCES, EPERM:
                DeliveryError(
                    .noPermission,
                    "\(key): no permission to read \(path): give it to the station's user, or use a systemd credential")
            case EISDIR: DeliveryError(.badSetting, "\(key): \(path) is a folder, not a file")
            default: DeliveryError(.system, "\(key): cannot read \(path): \(error.text)")
            }
        }
    }

    private static func find(
        _ file: String?, _ credential: String?, _ place: String, _ what: String
    ) throws(DeliveryError) -> Source? {
        guard let credential else { return file.map { Source(key: "\(place).\(what)File", path: $0) } }
        let key = "\(place).\(what)Credential"
        try problems(file: file, credential: credential, place: place, what: what).throwFirst()
        guard let folder = Environment.value("CREDENTIALS_DIRECTORY") else {
            throw DeliveryError(
                .noSuchDevice,
                "\(key): the station was started without credentials ($CREDENTIALS_DIRECTORY is unset): add "
                    + "LoadCredential=\(credential):/PATH to its systemd unit, or set \(what)File")
        }
        return Source(key: key, path: "\(folder)/\(credential)")
    }
}
