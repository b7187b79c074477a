import Vocabulary

/// Members of objects as events and payloads have them: a `nil` is left out unless the format wants a null.
extension JSONWriter {
    mutating func member(_ name: String, _ text: String) {
        key(name)
        string(text)
    }

    mutating func member(_ name: String, _ text: String?) {
        guard let text else { return }
        key(name)
        string(text)
    }

    mutating func member(_ name: String, _ value: Bool) {
        key(name)
        bool(value)
    }

    mutating func member(_ name: String, _ value: Int32?) {
        guard let value else { return }
        key(name)
        integer(value)
    }

    mutating func member(_ name: String, fixed value: Double?, decimals: Int) {
        guard let value else { return }
        key(name)
        fixed(value, decimals: decimals)
    }

    /// Free fields beside the fixed ones, sorted. One that has the name of a fixed key gets an underscore at the end: a key must not appear
    /// twice, and nothing is dropped.
    mutating func members(_ fields: [String: JSONValue], besides taken: Set<String>) {
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
            var free = name
            while taken.contains(free) || (free != name && fields[free] != nil) { free += "_" }
            key(free)
            self.value(value)
        }
    }

    /// `[[x,y]×4]`, clockwise from the code's own top left, four decimals (a tenth of a pixel at 1000).
    mutating func corners(_ quad: Quad) {
        beginArray()
        for point in quad.points {
            beginArray()
            fixed(point.x, decimals: 4)
            fixed(point.y, decimals: 4)
            endArray()
        }
        endArray()
    }
}
