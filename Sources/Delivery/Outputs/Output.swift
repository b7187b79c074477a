import Wire

/// One place where events go: a driver behind a lane of its own.
///
/// The `Dispatcher` calls `deliver` for one batch at a time, in order, and never from the scan loop. An output may take as long as its
/// device takes: only its own lane waits. It never touches another output.
package protocol Output: Sendable {
    /// Unique within the station.
    var name: String { get }
    /// Its state, pushed as it changes; starts with the current one. One consumer: the dispatcher.
    var states: AsyncStream<OutputStatus> { get }
    /// The most events that one call of `deliver` takes: more than 1 where several can be under way at once.
    var batchLimit: Int { get }
    /// Whether the output wants this kind of event; what it doesn't want isn't queued, isn't counted, and gets no receipt.
    func wants(_ event: Event) -> Bool
    /// Begins to open the device. A device that is missing is a state, not an error.
    func start() async
    /// Delivers one event and says what became of it. `failed(…, retry: true)` means: the same event may be offered again.
    func deliver(_ event: Event) async -> Receipt
    /// Delivers events in order. Returns the receipts of the first ones, in order, at least one. Events after a `failed` one are left out
    /// and offered again.
    func deliver(_ events: [Event]) async -> [Receipt]
    /// The network or the clock came back: what waits to connect again is tried at once.
    func conditionsChanged() async
    /// Ends deliveries under way (they fail, worth a retry) and closes the device.
    func stop() async
    func report() async -> OutputReport
}

extension Output {
    package var batchLimit: Int { 1 }

    package func wants(_ event: Event) -> Bool { true }

    package func conditionsChanged() async {}

    package func deliver(_ events: [Event]) async -> [Receipt] {
        var receipts: [Receipt] = []
        for event in events {
            let receipt = await deliver(event)
            receipts.append(receipt)
            if case .failed = receipt { break }
        }
        return receipts
    }
}
