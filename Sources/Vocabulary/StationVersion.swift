/// The version of this tree: every program says this one, and packages take theirs from here.
package enum StationVersion {
    package static let text = "0.1.0"
}
