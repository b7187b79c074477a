import CLinux

/// A pipe. No program that is started meanwhile gets an end of it.
package struct PipeEnds: Sendable {
    /// Non-blocking.
    package let reader: Descriptor
    package let writer: Descriptor

    package init() throws(SystemError) {
        var ends: [Int32] = [-1, -1]
        let status = CLinux_pipe(&ends)
        guard status == 0 else { throw SystemError(-status) }
        reader = Descriptor(ends[0])
        writer = Descriptor(ends[1])
        reader.makeNonBlocking()
    }
}

extension Descriptor {
    /// How much fits into the pipe that this is an end of; the system may refuse, or take more.
    package func setPipeSize(_ bytes: Int) { _ = CLinux_set_pipe_size(number, Int32(clamping: bytes)) }
}
