import Glibc
import TestSupport

extension TemporaryFolder {
    /// Overwrites bytes of a file in place.
    func damage(_ name: String, at offset: Int, bytes: [UInt8]) -> Bool {
        guard let stream = fopen(file(name), "r+") else { return false }
        defer { fclose(stream) }
        return fseek(stream, offset, SEEK_SET) == 0 && fwrite(bytes, 1, bytes.count, stream) == bytes.count
    }
}
