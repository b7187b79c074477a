import Foundation

/// Where the programs are.
enum StressExecutables {
    static var folder: String {
        URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().path
    }
    static var own: String { folder + "/scanstation-bench" }
}
