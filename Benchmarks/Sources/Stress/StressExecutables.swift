import Foundation

/// Where the programs are.
enum StressExecutables {
    /// This one, whatever it is called.
    static var own: String { program.path }
    static var folder: String { program.deletingLastPathComponent().path }

    private static var program: URL { URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath() }
}
