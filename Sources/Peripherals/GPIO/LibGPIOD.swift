import CGPIO
import Glibc
import Linux
import Synchronization

/// CGPIO, and through it the libgpiod that this was built with.
struct LibGPIOD: GPIOLibrary {
    /// Boards have a handful of chips of at most a few hundred lines; a Pi 5 has 54 on its largest.
    private static let maxChips = 64
    private static let maxLines = 1024

    /// Where the chips' device files are.
    var directory = "/dev"

    var version: String { String(cString: CGPIO_library_version()) }

    func chips() throws(GPIOFailure) -> [GPIOChip] {
        var found = [CGPIO_chip_info](repeating: CGPIO_chip_info(), count: Self.maxChips)
        let count = try checked(CGPIO_list_chips(directory, &found, found.count))
        return found.prefix(Int(count)).map { chip in
            GPIOChip(
                path: String(untilNUL: chip.path), name: String(untilNUL: chip.name),
                label: String(untilNUL: chip.label),
                failure: chip.status == 0 ? nil : -chip.status)
        }
    }

    func lines(ofChipAt path: String) throws(GPIOFailure) -> [GPIOLine] {
        var found = [CGPIO_line_info](repeating: CGPIO_line_info(), count: Self.maxLines)
        let count = try checked(CGPIO_list_lines(path, &found, found.count))
        return found.prefix(Int(count)).map(GPIOLine.init)
    }

    func line(ofChipAt path: String, offset: UInt32) throws(GPIOFailure) -> GPIOLine {
        var info = CGPIO_line_info()
        try checked(CGPIO_get_line(path, offset, &info))
        return GPIOLine(info)
    }

    func find(_ name: String, onChipAt path: String) throws(GPIOFailure) -> UInt32? {
        var offset: UInt32 = 0
        let status = CGPIO_find_line(path, name, &offset)
        if status == -ENOENT { return nil }
        try checked(status)
        return offset
    }

    func requestOutput(_ request: GPIORequest, isActive: Bool) throws(GPIOFailure) -> any GPIOHandle {
        var line: OpaquePointer?
        try checked(
            CGPIO_request_output(
                request.chipPath, request.offset, request.consumer, request.isActiveLow, isActive, &line))
        return LibGPIODHandle(line)
    }

    func requestInput(
        _ request: GPIORequest, bias: GPIOBias, debounceMicroseconds: UInt32
    ) throws(GPIOFailure) -> (handle: any GPIOHandle, isDebounced: Bool) {
        var line: OpaquePointer?
        var isDebounced = false
        try checked(
            CGPIO_request_input(
                request.chipPath, request.offset, request.consumer, request.isActiveLow, bias.value,
                debounceMicroseconds, &line, &isDebounced))
        return (LibGPIODHandle(line), isDebounced)
    }
}

/// A line of CGPIO. The lock lets one thread at a time use it, and none once it has been released.
final class LibGPIODHandle: GPIOHandle, @unchecked Sendable {
    private let lock = Mutex<Void>(())
    /// Guarded by `lock`; `nil` once released.
    private var line: OpaquePointer?
    let eventDescriptor: Int32

    init(_ line: OpaquePointer?) {
        self.line = line
        eventDescriptor = line.map { CGPIO_line_event_fd($0) } ?? -1
    }

    deinit { CGPIO_line_release(line) }

    func set(_ isActive: Bool) throws(GPIOFailure) {
        try checked(lock.withLock { _ in line.map { CGPIO_line_set($0, isActive) } ?? -ENODEV })
    }

    func get() throws(GPIOFailure) -> Bool {
        try checked(lock.withLock { _ in line.map { CGPIO_line_get($0) } ?? -ENODEV }) != 0
    }

    func readEdge() throws(GPIOFailure) -> GPIOEdge? {
        var edge = CGPIO_edge()
        let status = lock.withLock { _ in line.map { CGPIO_line_read_edge($0, &edge) } ?? -ENODEV }
        if status == -EAGAIN { return nil }
        try checked(status)
        return GPIOEdge(isActive: edge.is_active, monotonicNanoseconds: edge.monotonic_ns)
    }

    func release() {
        lock.withLock { _ in
            CGPIO_line_release(line)
            line = nil
        }
    }
}

@discardableResult
private func checked(_ status: Int32) throws(GPIOFailure) -> Int32 {
    if status < 0 { throw GPIOFailure(errno: -status) }
    return status
}

extension GPIOLine {
    fileprivate init(_ info: CGPIO_line_info) {
        self.init(
            offset: info.offset, name: String(untilNUL: info.name), consumer: String(untilNUL: info.consumer),
            isUsed: info.is_used,
            isOutput: info.is_output, isActiveLow: info.is_active_low)
    }
}

extension GPIOBias {
    fileprivate var value: CGPIO_bias {
        switch self {
        case .disabled: CGPIO_BIAS_DISABLED
        case .pullUp: CGPIO_BIAS_PULL_UP
        case .pullDown: CGPIO_BIAS_PULL_DOWN
        }
    }
}
