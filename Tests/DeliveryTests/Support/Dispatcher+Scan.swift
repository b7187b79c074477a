import ControlSupport
import Wire

@testable import Delivery

extension Dispatcher {
    /// Keeps a scan and says so, as the station does.
    @discardableResult
    nonisolated func scan(_ journal: TestJournal, _ change: (inout Event) -> Void = { _ in }) -> Event {
        let event = journal.keep(change)
        submit(event)
        return event
    }
}
