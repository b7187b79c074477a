/// Scans in a file, with rotation.
package struct FileSettings: Hashable, Sendable {
    package var path: String
    package var lines: LineFormat = .json
    /// With `lines: template`.
    package var format = FormatSettings("{time},{symbology},{text}<LF>")
    /// With `lines: json`: every event, or scans only.
    package var scansOnly = true
    /// The file is put aside as `PATH.1` before it grows beyond this.
    package var rotateBytes = 10 << 20
    /// How many of those are kept.
    package var rotateKeep = 5
    /// Permissions of a new file.
    package var mode: UInt32 = 0o640
    /// Whether a scan counts as accepted once it is on disk (fsync), or once it is written.
    package var sync = true

    package init(path: String) { self.path = path }
}
