import Linux

/// The file of the settings that were changed over the console: `console.yaml` in the station's state folder.
package struct OverlayFile: Hashable, Sendable {
    package static let name = "console.yaml"
    /// Where a broken one is put.
    package static let brokenName = name + ".broken"

    package let folder: String

    /// - Parameter folder: the station's state folder.
    package init(folder: String) { self.folder = folder }

    package var path: String { "\(folder)/\(Self.name)" }
    package var brokenPath: String { "\(folder)/\(Self.brokenName)" }

    /// `nil` if there is no file. A damaged one is an error: what it said is unknown.
    package func read() throws(SettingsOverlayError) -> SettingsOverlay? {
        let bytes: [UInt8]
        switch Files.read(path, limit: SettingsOverlay.maxBytes, followsLink: false) {
        case .bytes(let content): bytes = content
        case .tooLong: throw SettingsOverlayError("\(path): \(SettingsOverlayError.tooLong.message)")
        case .missing: return nil
        case .notAFile(let error), .failed(let error):
            throw SettingsOverlayError("\(path): can't read it: \(error.text)")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw SettingsOverlayError("\(path): not UTF-8 text")
        }
        do throws(SettingsOverlayError) { return try SettingsOverlay(text: text) } catch {
            throw SettingsOverlayError("\(path): \(error.message)")
        }
    }

    /// Returns once it is on disk under its name, or throws and leaves the old one as it was. May take as long as the disk takes.
    package func write(_ overlay: SettingsOverlay) throws(SettingsOverlayError) {
        do throws(SystemError) { try WholeFile.write(Array(overlay.text.utf8), to: path, mode: 0o640) } catch {
            throw SettingsOverlayError("\(path): can't write it: \(error.text)")
        }
    }

    /// Moves a broken one out of the way, so that the next change doesn't overwrite what somebody may want to look at.
    package func putAside() throws(SettingsOverlayError) {
        do throws(SystemError) { try WholeFile.move(path, to: brokenPath) } catch {
            throw SettingsOverlayError("\(path): can't move it to \(brokenPath): \(error.text)")
        }
    }
}
