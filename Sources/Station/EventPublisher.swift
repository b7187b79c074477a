import Control
import Delivery
import Linux
import ScanCore
import Synchronization
import Vocabulary
import Wire

/// Tells the clients of the control socket, the outputs, and observers in this process what happens.
final class EventPublisher: Sendable {
    /// How many events wait for a slow observer before the oldest is dropped.
    private static let observerLimit = 256

    /// The station's name on the wire.
    let station: String
    private let clock: MachineClock
    private let control: ControlServer
    private let console: ControlServer?
    private let dispatcher: Dispatcher
    private let observers = Mutex(StreamRegistry<Event>())

    init(station: String, clock: MachineClock, parts: StationParts) {
        self.station = station
        self.clock = clock
        control = parts.control
        console = parts.console
        dispatcher = parts.dispatcher
    }

    /// An event that happens now.
    func event(_ body: Event.Body) -> Event { Event(stamp: clock.stamp(station: station), body: body) }

    func publish(_ event: Event, toOutputs: Bool) {
        // Clients of the socket first: they are waiting, while the outputs begin with a look into the journal anyway.
        control.publish(event)
        console?.publish(event)
        if toOutputs { dispatcher.submit(event) }
        observers.withLock { $0.yield(event) }
    }

    /// Events from now on.
    func events() -> AsyncStream<Event> { observers.withLock { $0.stream(limit: Self.observerLimit) } }

    /// The station ends: no more events.
    func finish() { observers.withLock { $0.finish() } }
}
