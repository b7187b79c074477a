extension LumaPlane {
    /// A hash of every sample (multiply and rotate over words of eight), equal on every machine for equal pictures.
    func contentHash() -> UInt64 {
        let prime: UInt64 = 0x9e37_79b9_7f4a_7c15
        var hash = UInt64(width) &* prime ^ UInt64(height)
        for y in 0..<height {
            let line = UnsafeRawPointer(row(y))
            var x = 0
            while x &+ 8 <= width {
                let word = UInt64(littleEndian: line.loadUnaligned(fromByteOffset: x, as: UInt64.self))
                hash = (hash ^ word) &* prime
                hash ^= hash >> 29
                x &+= 8
            }
            while x < width {
                hash = (hash ^ UInt64(line.load(fromByteOffset: x, as: UInt8.self))) &* prime
                x &+= 1
            }
        }
        return hash
    }
}
