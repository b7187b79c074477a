import Wire

/// Says once that the times of a list of events can't be believed, not behind each of them.
struct ClockNote {
    private var isUnset = false

    /// What to say before this event, if that is news.
    mutating func note(before event: JSONValue) -> String? {
        guard let clock = event["clock"]?.stringValue, (clock == "unsynced") != isUnset else { return nil }
        isUnset.toggle()
        return isUnset
            ? "(the clock isn't set: the times that follow are what it says)" : "(the clock is set from here on)"
    }
}
