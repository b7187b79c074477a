/// Scans in a file, with rotation.
package struct FileSettings: Hashable, Sendable {
    package var path: String
    package var lines: LineFormat = .json
    /// With `lines: template`.
    package var format = FormatSettings("{time},{symbology},{text}<LF>")
    /// With `lines: json`: every event, or scans only.
    package var scansOnly = true
    /// The file is renamed to `PATH.1` before it grows beyond this.
    package var rotateBytes = 10 << 20
    /// How many of these older files are kept.
    package var rotateKeep = 5
    /// Permissions of a new file.
    package var mode: UInt32 = 0o640
    /// Whether a scan counts as accepted once it is on disk (fsync), or once it is written.
    package var sync = true

    package init(path: String) { self.path = path }
}

extension FileSettings: OutputKind {
    package static let key = "file"
    package static let receiverAdvice = "check the folder, its owner and the room on the disk"
    package static let sample = FileSettings(path: "/var/lib/scanstation/scans.ndjson")
    package static let what = "A file, with rotation."
    package static let starter = """
        - file:
            path: /var/lib/scanstation/scans.txt
            lines: template           # one line of text a scan; json: all that is known of it
            template: '{text}<LF>'
        """
    package static let isUsuallyRequired = true
    package var kind: OutputSettings.Kind { .file(self) }
    package var place: String? { path }
    package var exclusive: (what: String, key: String)? { (path, "path") }
    package var files: [OutputFile] {
        [OutputFile("path", path, .written(kept: rotateKeep))].compactMap { $0 }
    }
    package var lineFormat: LineFormat? { lines }
}
