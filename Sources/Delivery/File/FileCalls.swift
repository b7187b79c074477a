import Glibc
import Linux

/// The system calls that put records on disk, named here so that a test can fill a disk that isn't full.
struct FileCalls: Sendable {
    /// Writes a part of the bytes from an offset on.
    var write: @Sendable (Descriptor, [UInt8], Int) -> Descriptor.WriteOutcome = { $0.write($1, from: $2) }
    /// Returns when the data is on disk. fdatasync(2) and not fsync(2): the file's size goes with it, its times needn't.
    var sync: @Sendable (Descriptor) -> SystemError? = { fdatasync($0.number) == 0 ? nil : SystemError() }
    /// Whether there is room for this many more bytes; file systems that can't tell are assumed to have it.
    var hasRoom: @Sendable (Descriptor, Int) -> Bool = { descriptor, count in
        var status = statvfs()
        guard fstatvfs(descriptor.number, &status) == 0 else { return true }
        let free = getuid() == 0 ? status.f_bfree : status.f_bavail
        return UInt64(free).multipliedReportingOverflow(by: UInt64(status.f_frsize)).partialValue >= UInt64(count)
    }
}
