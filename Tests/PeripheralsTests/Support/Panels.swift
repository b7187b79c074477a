import Settings

@testable import Peripherals

extension SimulatedPanel {
    /// What happened to a line, in a word each.
    func story(of line: String) -> [String] {
        trace.filter { $0.line == line }.map { change in
            switch change.what {
            case .taken: "taken"
            case .level(true): "on"
            case .level(false): "off"
            case .tone(let hertz): "\(hertz) Hz"
            case .pressed(true): "pressed"
            case .pressed(false): "released"
            case .givenBack: "given back"
            case .fault: "fault"
            }
        }
    }
}

extension LineSettings {
    static let torch = LineSettings(line: "GPIO17")
    static let relay = LineSettings(line: "GPIO26")
    static let button = LineSettings(line: "GPIO5", activeLow: true)
}

/// The first elements of a stream.
func first<Element: Sendable>(_ count: Int, of stream: AsyncStream<Element>) async -> [Element] {
    var found: [Element] = []
    for await element in stream {
        found.append(element)
        if found.count == count { break }
    }
    return found
}
