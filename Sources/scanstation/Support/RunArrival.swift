import Station

/// What ends a station or makes it reread its configuration: a signal, or a fault that only a new process can cure.
enum RunArrival: Sendable {
    case signal(Int32)
    case failure(StationError)

    /// Both in one queue, for one reader.
    static func stream(_ signals: ProcessSignals, _ station: Station) -> AsyncStream<RunArrival> {
        let (stream, sink) = AsyncStream.makeStream(of: RunArrival.self)
        let tasks = [
            Task { for await signal in signals.arrivals { sink.yield(.signal(signal)) } },
            Task { for await failure in station.failures { sink.yield(.failure(failure)) } },
        ]
        sink.onTermination = { _ in for task in tasks { task.cancel() } }
        return stream
    }
}
