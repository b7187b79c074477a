/// The async sequences of one owner; each keeps the newest elements for a slow reader.
///
/// A value without a lock, as `ObserverRegistry` is: its owner isolates it, and so keeps the order. A reader that went away is
/// noticed at the next element.
package struct StreamRegistry<Element: Sendable>: Sendable {
    private var readers: [AsyncStream<Element>.Continuation] = []
    private var isFinished = false

    package init() {}

    /// - Parameters:
    ///   - limit: how many elements wait for a slow reader before the oldest is dropped.
    ///   - first: what the sequence begins with.
    /// - Returns: the elements from now on; ended at once after `finish`.
    package mutating func stream(limit: Int, startingWith first: Element? = nil) -> AsyncStream<Element> {
        let (stream, reader) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: .bufferingNewest(limit))
        if let first { reader.yield(first) }
        if isFinished { reader.finish() } else { readers.append(reader) }
        return stream
    }

    package mutating func yield(_ element: Element) {
        readers.removeAll { reader in
            if case .terminated = reader.yield(element) { true } else { false }
        }
    }

    /// Ends every sequence, and those to come.
    package mutating func finish() {
        isFinished = true
        for reader in readers { reader.finish() }
        readers = []
    }
}
