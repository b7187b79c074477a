import CLinux

/// A pipe: what is written into `writeEnd` comes out at `reader`. No program that another test starts meanwhile gets an end of it.
package struct Pipe {
    package let reader: ByteEnd
    package let writeEnd: ByteEnd

    package init() {
        var ends: [Int32] = [-1, -1]
        _ = CLinux_pipe(&ends)
        reader = ByteEnd(ends[0])
        writeEnd = ByteEnd(ends[1])
    }
}
