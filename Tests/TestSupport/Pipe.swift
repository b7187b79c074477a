import Glibc

/// A pipe: what is written into `writeEnd` comes out at `reader`.
package struct Pipe {
    package let reader: ByteEnd
    package let writeEnd: ByteEnd

    package init() {
        var ends: [Int32] = [-1, -1]
        pipe(&ends)
        reader = ByteEnd(ends[0])
        writeEnd = ByteEnd(ends[1])
    }
}
