/// An input line of a GPIO chip, with its edges on the station's clock.
final class GPIOInputLine: InputLine {
    private static let maxWaitingEdges = 64

    let isDebounced: Bool
    let edges: AsyncStream<LineEdge>
    private let handle: any GPIOHandle
    private let place: GPIOPlace
    private let watcher: DescriptorWatcher

    init(handle: any GPIOHandle, isDebounced: Bool, place: GPIOPlace, clock: any PeripheralClock) {
        self.handle = handle
        self.isDebounced = isDebounced
        self.place = place
        let (stream, continuation) = AsyncStream.makeStream(
            of: LineEdge.self, bufferingPolicy: .bufferingNewest(Self.maxWaitingEdges))
        edges = stream
        watcher = DescriptorWatcher(
            descriptor: handle.eventDescriptor,
            onReadable: {
                do throws(GPIOFailure) {
                    while let edge = try handle.readEdge() {
                        let instant = clock.instant(ofMonotonic: edge.monotonicNanoseconds)
                        continuation.yield(LineEdge(isActive: edge.isActive, at: instant))
                    }
                    return true
                } catch {
                    return false
                }
            },
            onEnd: { continuation.finish() })
    }

    deinit { close() }

    func read() throws(LineError) -> Bool {
        do throws(GPIOFailure) {
            return try handle.get()
        } catch {
            throw GPIOErrors.useFailed(error.errno, doing: "read", place)
        }
    }

    func close() {
        // The descriptor belongs to the handle: nobody may wait on it once the handle is gone.
        watcher.stop()
        handle.release()
    }
}
