import Dispatch

/// Signals to this process.
package enum Signals {
    /// Calls `handler` with each of these that arrives, until the process ends. Returns once they arrive there. An earlier one has its usual
    /// effect: if it were ignored, it would be lost.
    package static func handle(_ numbers: [Int32], _ handler: @escaping @Sendable (Int32) -> Void) {
        let registered = DispatchSemaphore(value: 0)
        for number in numbers {
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            // The handler keeps its source alive.
            source.setEventHandler {
                handler(number)
                withExtendedLifetime(source) {}
            }
            source.setRegistrationHandler { registered.signal() }
            source.resume()
        }
        for _ in numbers { registered.wait() }
    }
}
