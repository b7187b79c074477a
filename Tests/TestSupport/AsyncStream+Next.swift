extension AsyncStream where Element: Sendable {
    /// The next `count` elements.
    package func next(_ count: Int) async -> [Element] {
        var elements: [Element] = []
        for await element in self {
            elements.append(element)
            if elements.count == count { break }
        }
        return elements
    }

    /// Consumes elements up to the first that fits.
    package func first(_ fits: @Sendable (Element) -> Bool) async -> Element? {
        for await element in self where fits(element) { return element }
        return nil
    }
}
