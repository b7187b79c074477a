/// Scans in a file, with rotation.
public struct FileSettings: Hashable, Sendable {
    public var path: String
    public var lines: LineFormat = .json
    /// With `lines: template`.
    public var format = FormatSettings("{time},{symbology},{text}<LF>")
    /// With `lines: json`: every event, or scans only.
    public var scansOnly = true
    /// The file is put aside as `PATH.1` before it grows beyond this.
    public var rotateBytes = 10 << 20
    /// How many of those are kept.
    public var rotateKeep = 5
    /// Permissions of a new file.
    public var mode: UInt32 = 0o640
    /// Whether a scan counts as accepted once it is on disk (fsync), or once it is written.
    public var sync = true

    public init(path: String) { self.path = path }
}
