/// An output line of a GPIO chip.
final class GPIOOutputLine: OutputLine {
    private let handle: any GPIOHandle
    private let place: GPIOPlace

    init(handle: any GPIOHandle, place: GPIOPlace) {
        self.handle = handle
        self.place = place
    }

    deinit { close() }

    func set(_ isActive: Bool) throws(LineError) {
        do throws(GPIOFailure) {
            try handle.set(isActive)
        } catch {
            throw GPIOErrors.useFailed(error.errno, doing: "driven", place)
        }
    }

    func read() throws(LineError) -> Bool {
        do throws(GPIOFailure) {
            return try handle.get()
        } catch {
            throw GPIOErrors.useFailed(error.errno, doing: "read", place)
        }
    }

    func close() {
        // The safe level first: on Pi kernels a released output keeps its level. Nothing else can be done if it fails.
        try? handle.set(false)
        handle.release()
    }
}
