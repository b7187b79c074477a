import Glibc
import Synchronization

@testable import Peripherals

/// Chips and lines below `GPIOChips`, in place of libgpiod. Records what was done, and fails as told.
final class FakeGPIO: GPIOLibrary {
    struct Line: Sendable {
        var name: String
        var consumer = ""
        var isUsed = false
        var isActive = false
    }

    struct State: Sendable {
        var chips: [(chip: GPIOChip, lines: [Line])] = []
        var listFailure: Int32?
        /// errno of every use of a held line.
        var useFailure: Int32?
        var calls: [String] = []
        var debounces = false
    }

    let state = Mutex(State())
    let version = "0.0 (fake)"

    init(chips: [(chip: GPIOChip, lines: [Line])] = [FakeGPIO.pi]) {
        state.withLock { $0.chips = chips }
    }

    /// A chip as a Pi 4's, with lines GPIO0…GPIO27.
    static let pi = (
        chip: GPIOChip(path: "/dev/gpiochip0", name: "gpiochip0", label: "pinctrl-bcm2711"),
        lines: (0..<28).map { Line(name: "GPIO\($0)") }
    )

    var calls: [String] { state.withLock { $0.calls } }

    func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }

    func take(_ offset: Int, by consumer: String) {
        change { state in
            state.chips[0].lines[offset].isUsed = true
            state.chips[0].lines[offset].consumer = consumer
        }
    }

    func chips() throws(GPIOFailure) -> [GPIOChip] {
        let (failure, chips) = state.withLock { ($0.listFailure, $0.chips.map(\.chip)) }
        if let failure { throw GPIOFailure(errno: failure) }
        return chips
    }

    func lines(ofChipAt path: String) throws(GPIOFailure) -> [GPIOLine] {
        guard let lines = state.withLock({ $0.chips.first { $0.chip.path == path }?.lines }) else {
            throw GPIOFailure(errno: ENODEV)
        }
        return lines.enumerated().map { offset, line in
            GPIOLine(
                offset: UInt32(offset), name: line.name, consumer: line.consumer, isUsed: line.isUsed, isOutput: false,
                isActiveLow: false)
        }
    }

    func line(ofChipAt path: String, offset: UInt32) throws(GPIOFailure) -> GPIOLine {
        let lines = try lines(ofChipAt: path)
        guard lines.indices.contains(Int(offset)) else { throw GPIOFailure(errno: EINVAL) }
        return lines[Int(offset)]
    }

    func find(_ name: String, onChipAt path: String) throws(GPIOFailure) -> UInt32? {
        try lines(ofChipAt: path).first { $0.name == name }?.offset
    }

    func requestOutput(_ request: GPIORequest, isActive: Bool) throws(GPIOFailure) -> any GPIOHandle {
        try take(request, "output \(request.isActiveLow ? "active-low " : "")\(isActive)")
        return FakeHandle(library: self, offset: Int(request.offset), pipe: nil)
    }

    func requestInput(
        _ request: GPIORequest, bias: GPIOBias, debounceMicroseconds: UInt32
    ) throws(GPIOFailure) -> (handle: any GPIOHandle, isDebounced: Bool) {
        try take(
            request, "input \(request.isActiveLow ? "active-low " : "")\(bias) \(debounceMicroseconds) µs")
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw GPIOFailure(errno: errno) }
        let handle = FakeHandle(library: self, offset: Int(request.offset), pipe: (ends[0], ends[1]))
        lastInput.withLock { $0 = handle }
        return (handle, state.withLock { $0.debounces })
    }

    let lastInput = Mutex<FakeHandle?>(nil)

    private func take(_ request: GPIORequest, _ how: String) throws(GPIOFailure) {
        let failure: Int32? = state.withLock { state in
            state.calls.append("take \(request.offset) \(how)")
            guard let chip = state.chips.firstIndex(where: { $0.chip.path == request.chipPath }) else { return ENODEV }
            guard state.chips[chip].lines.indices.contains(Int(request.offset)) else { return EINVAL }
            if state.chips[chip].lines[Int(request.offset)].isUsed { return EBUSY }
            state.chips[chip].lines[Int(request.offset)].isUsed = true
            state.chips[chip].lines[Int(request.offset)].consumer = request.consumer
            return nil
        }
        if let failure { throw GPIOFailure(errno: failure) }
    }
}

/// A held line of `FakeGPIO`'s first chip. An input's edges wait in a list, and a pipe makes its descriptor readable.
final class FakeHandle: GPIOHandle {
    private let library: FakeGPIO
    private let offset: Int
    private let edges = Mutex<[GPIOEdge]>([])
    private let pipe: (read: Int32, write: Int32)?
    private let isReleased = Mutex(false)

    init(library: FakeGPIO, offset: Int, pipe: (read: Int32, write: Int32)?) {
        self.library = library
        self.offset = offset
        self.pipe = pipe
    }

    deinit {
        if let pipe {
            close(pipe.read)
            hangUp()
        }
    }

    var eventDescriptor: Int32 { pipe?.read ?? -1 }

    func push(_ edge: GPIOEdge) {
        edges.withLock { $0.append(edge) }
        var byte: UInt8 = 1
        if let pipe { _ = write(pipe.write, &byte, 1) }
    }

    private let isHungUp = Mutex(false)

    /// What the kernel does when the chip is unplugged.
    func hangUp() {
        let isFirst = isHungUp.withLock { isHungUp in
            defer { isHungUp = true }
            return !isHungUp
        }
        if isFirst, let pipe { close(pipe.write) }
    }

    func set(_ isActive: Bool) throws(GPIOFailure) {
        try use("set \(offset) \(isActive)") { $0.isActive = isActive }
    }

    func get() throws(GPIOFailure) -> Bool {
        var level = false
        try use(nil) { level = $0.isActive }
        return level
    }

    func readEdge() throws(GPIOFailure) -> GPIOEdge? {
        let edge: GPIOEdge? = edges.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        var byte: UInt8 = 0
        if edge != nil, let pipe { _ = read(pipe.read, &byte, 1) }
        return edge
    }

    func release() {
        let isFirst = isReleased.withLock { isReleased in
            defer { isReleased = true }
            return !isReleased
        }
        guard isFirst else { return }
        library.change { state in
            state.calls.append("release \(offset)")
            state.chips[0].lines[offset].isUsed = false
            state.chips[0].lines[offset].consumer = ""
        }
    }

    private func use(_ call: String?, _ body: (inout FakeGPIO.Line) -> Void) throws(GPIOFailure) {
        if isReleased.withLock({ $0 }) { throw GPIOFailure(errno: ENODEV) }
        let failure: Int32? = library.state.withLock { state in
            if let failure = state.useFailure { return failure }
            if let call { state.calls.append(call) }
            body(&state.chips[0].lines[offset])
            return nil
        }
        if let failure { throw GPIOFailure(errno: failure) }
    }
}
