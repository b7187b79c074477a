/// What became of one event at one output.
package enum Receipt: Hashable, Sendable {
    /// It arrived, as far as the output can know: written, or acknowledged if the output is set to wait for that.
    case accepted
    /// The receiver said no; it isn't offered again.
    case refused(reason: String)
    /// It wasn't sent and won't be: too late for a live output, or something that it can't write.
    case skipped(reason: String)
    /// It didn't arrive. `retry`: whether offering it again can help.
    case failed(reason: String, retry: Bool)
}
