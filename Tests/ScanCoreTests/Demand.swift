import Testing

/// `#expect` for walks over very many states: it costs next to nothing while all is well.
func demand(_ isTrue: Bool, _ location: SourceLocation = #_sourceLocation) {
    if !isTrue { Issue.record("a demand isn't met", sourceLocation: location) }
}
