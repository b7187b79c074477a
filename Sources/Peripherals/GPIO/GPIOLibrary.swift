/// The seam below `GPIOChips`: what CGPIO offers, in Swift. `LibGPIOD` is the real one; tests use their own.
protocol GPIOLibrary: Sendable {
    var version: String { get }
    func chips() throws(GPIOFailure) -> [GPIOChip]
    func lines(ofChipAt path: String) throws(GPIOFailure) -> [GPIOLine]
    func line(ofChipAt path: String, offset: UInt32) throws(GPIOFailure) -> GPIOLine
    /// `nil`: the chip has no line with that name.
    func find(_ name: String, onChipAt path: String) throws(GPIOFailure) -> UInt32?
    func requestOutput(_ request: GPIORequest, isActive: Bool) throws(GPIOFailure) -> any GPIOHandle
    func requestInput(
        _ request: GPIORequest, bias: GPIOBias, debounceMicroseconds: UInt32
    ) throws(GPIOFailure) -> (handle: any GPIOHandle, isDebounced: Bool)
}

/// A requested line. Given back by `release`, or when the last reference goes.
protocol GPIOHandle: AnyObject, Sendable {
    func set(_ isActive: Bool) throws(GPIOFailure)
    func get() throws(GPIOFailure) -> Bool
    /// Readable when an edge waits; owned by the handle.
    var eventDescriptor: Int32 { get }
    /// The oldest waiting edge; `nil` when none waits.
    func readEdge() throws(GPIOFailure) -> GPIOEdge?
    func release()
}

/// A negative CGPIO status as the `errno` that it stands for.
struct GPIOFailure: Error, Hashable {
    var errno: Int32
}

struct GPIOChip: Hashable {
    var path: String
    var name: String
    var label: String
    /// `errno` of opening it; `nil` when that went well.
    var failure: Int32?
}

struct GPIOLine: Hashable {
    var offset: UInt32
    var name: String
    var consumer: String
    var isUsed: Bool
    var isOutput: Bool
    var isActiveLow: Bool
}

struct GPIORequest: Hashable {
    var chipPath: String
    var offset: UInt32
    var consumer: String
    var isActiveLow: Bool
}

enum GPIOBias: Hashable {
    case disabled, pullUp, pullDown
}

struct GPIOEdge: Hashable {
    var isActive: Bool
    var monotonicNanoseconds: Int64
}
