/// The version of this tree; packages take theirs from here.
enum StationVersion {
    static let text = "0.1.0"
}
