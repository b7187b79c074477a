import Wire

/// Says once, not at every event, that the times in a list of events can't be trusted.
struct ClockNote {
    private var isUnset = false

    /// What to say before this event; `nil` if it was said already.
    mutating func note(before event: JSONValue) -> String? {
        guard let clock = event["clock"]?.stringValue, (clock == "unsynced") != isUnset else { return nil }
        isUnset.toggle()
        return isUnset
            ? "(the clock isn't set: the times that follow may be wrong)" : "(the clock is set from here on)"
    }
}
