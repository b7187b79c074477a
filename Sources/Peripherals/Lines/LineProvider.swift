import Settings
import Vocabulary

/// Where lines come from: `GPIOChips` is the hardware, `SimulatedPanel` the desk. Calls are short; none waits for anybody.
package protocol LineProvider: Sendable {
    /// Takes a line as output. It is inactive from the first moment; that is every output's safe level.
    func openOutput(_ settings: LineSettings, role: LineRole) throws(LineError) -> any OutputLine

    /// Takes a line as input with both edges.
    func openInput(_ settings: ButtonSettings, role: LineRole) throws(LineError) -> any InputLine

    /// Takes the buzzer, silent from the first moment.
    func openTone(_ settings: BuzzerSettings) throws(LineError) -> any ToneOutput

    /// Which chips and lines there are, and who holds them. Never throws: a chip that can't be read says why.
    func inventory() -> LineInventory.Report
}

/// A line that we drive. Levels are logical: active is on. Closing it (or dropping the last reference) drives it
/// inactive before it is given back: on Pi kernels a released output keeps its level.
package protocol OutputLine: AnyObject, Sendable {
    func set(_ isActive: Bool) throws(LineError)
    /// The level as the chip reads it back.
    func read() throws(LineError) -> Bool
    /// Drives the line inactive and gives it back. Later calls throw; a second `close` does nothing.
    func close()
}

/// An edge as it came from the line.
package struct LineEdge: Hashable, Sendable {
    /// The level it led to.
    package var isActive: Bool
    package var at: Instant

    package init(isActive: Bool, at: Instant) {
        self.isActive = isActive
        self.at = at
    }
}

/// A line that we listen to.
package protocol InputLine: AnyObject, Sendable {
    /// Whether edges come debounced; if not, the caller has to debounce them.
    var isDebounced: Bool { get }
    func read() throws(LineError) -> Bool
    /// Edges in order, for one consumer; the newest 64 are kept for a slow one. Ends when the line is closed or its chip
    /// is gone.
    var edges: AsyncStream<LineEdge> { get }
    func close()
}

/// A buzzer.
package protocol ToneOutput: AnyObject, Sendable {
    /// - Parameter hertz: 0 silences, 1 sounds at the buzzer's own pitch, else hertz; an active buzzer just sounds.
    func sound(hertz: Int) throws(LineError)
    /// Whether it sounds, read back.
    func read() throws(LineError) -> Bool
    /// Silences it and gives it back.
    func close()
}
