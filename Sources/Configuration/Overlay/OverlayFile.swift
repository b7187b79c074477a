import Glibc
import Linux

/// The file of the settings that were changed over the console: `console.yaml` in the station's state folder.
package struct OverlayFile: Hashable, Sendable {
    package static let name = "console.yaml"

    package let path: String

    /// - Parameter folder: the station's state folder.
    package init(folder: String) { path = folder + "/" + Self.name }

    /// `nil` if there is no file. A damaged one is an error: what it said is unknown.
    package func read() throws(SettingsOverlayError) -> SettingsOverlay? {
        let number = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
        guard number >= 0 else {
            if errno == ENOENT { return nil }
            throw SettingsOverlayError("\(path): can't read it: \(SystemError().text)")
        }
        let file = Descriptor(number)
        var bytes: [UInt8] = []
        while bytes.count <= SettingsOverlay.maxBytes,
            case .bytes(let more) = file.read(limit: SettingsOverlay.maxBytes + 1 - bytes.count)
        {
            bytes += more
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw SettingsOverlayError("\(path): not UTF-8 text: delete it, and set again what the console had changed")
        }
        do throws(SettingsOverlayError) { return try SettingsOverlay(text: text) } catch {
            throw SettingsOverlayError(
                "\(path): \(error.message): delete it, and set again what the console had changed")
        }
    }

    /// Returns once it is on disk under its name, or throws and leaves the old one as it was. May take as long as the disk takes.
    package func write(_ overlay: SettingsOverlay) throws(SettingsOverlayError) {
        let part = path + ".part"
        do throws(SystemError) {
            // Another name's remains of an interrupted write.
            unlink(part)
            let number = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o640)
            guard number >= 0 else { throw SystemError() }
            let file = Descriptor(number)
            try write(Array(overlay.text.utf8), to: file)
            guard fsync(file.number) == 0, rename(part, path) == 0 else { throw SystemError() }
            try syncFolder()
        } catch {
            unlink(part)
            throw SettingsOverlayError("\(path): can't write it: \(error.text); the settings are as they were")
        }
    }

    private func write(_ bytes: [UInt8], to file: Descriptor) throws(SystemError) {
        var count = 0
        while count < bytes.count {
            switch file.write(bytes, from: count) {
            case .written(let more): count += more
            case .wouldBlock: throw SystemError(EAGAIN)
            case .failed(let error): throw error
            }
        }
    }

    private func syncFolder() throws(SystemError) {
        let folder = open(String(path.dropLast(Self.name.count + 1)), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw SystemError() }
        defer { close(folder) }
        guard fsync(folder) == 0 else { throw SystemError() }
    }
}
