import Glibc

/// A pipe: what is written into `writeEnd` comes out at `reader`.
struct Pipe {
    let reader: ByteEnd
    let writeEnd: ByteEnd

    init() {
        var ends: [Int32] = [-1, -1]
        pipe(&ends)
        reader = ByteEnd(ends[0])
        writeEnd = ByteEnd(ends[1])
    }
}
