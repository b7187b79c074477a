import Glibc
import TestSupport
import Testing
import Vocabulary

@testable import Capture

@Suite("Plugins that may be loaded") struct PluginTrustTests {
    private let folder: TemporaryFolder
    private let plugin: String

    init() throws {
        folder = TemporaryFolder()
        try #require(mkdir(folder.path + "/lib", 0o755) == 0)
        plugin = folder.path + "/lib/libcamera-0.4.so"
        try folder.write("lib/libcamera-0.4.so", [])
        // A program that no group may write.
        try folder.write("program", [])
        try #require(chmod(folder.path + "/program", 0o755) == 0)
        try #require(chmod(folder.path, 0o700) == 0 && chmod(plugin, 0o644) == 0)
    }

    private var trust: PluginTrust { PluginTrust(program: folder.path + "/program") }

    @Test func `what only root and its user can change is trusted, below a sticky folder, too`() {
        #expect(trust.problem(with: plugin) == nil)
        #expect(trust.problem(with: folder.path + "/none.so") == nil)
    }

    @Test(arguments: [0o666, 0o664, 0o646] as [mode_t])
    func `a file that others can write is refused`(mode: mode_t) {
        chmod(plugin, mode)
        #expect(trust.problem(with: plugin)?.contains("sudo chmod go-w \(plugin)") == true)
        let error = #expect(throws: CameraFailure.self) {
            try PluginLocator(folders: [folder.path + "/lib"]).load()
        }
        if mode & S_IWOTH != 0 { #expect("\(String(describing: error))".contains("can be written by")) }
    }

    @Test func `so is one in a folder, at any height, that others can write, also by way of a link`() {
        chmod(folder.path + "/lib", 0o777)
        #expect(trust.problem(with: plugin)?.contains("everybody") == true)
        symlink(plugin, folder.path + "/link.so")
        #expect(trust.problem(with: folder.path + "/link.so")?.contains("/lib can be written") == true)
        chmod(folder.path + "/lib", 0o755)
        chmod(folder.path, 0o770)
        #expect(trust.problem(with: plugin)?.contains("its group") == true)
    }

    @Test func `a plugin that the program's own group may write is as good as the program itself`() {
        chmod(folder.path + "/program", 0o775)
        chmod(plugin, 0o664)
        #expect(trust.problem(with: plugin) == nil)
        chmod(plugin, 0o666)
        #expect(trust.problem(with: plugin) != nil)
    }

    @Test(.enabled(if: geteuid() == 0, "giving a file away needs root"))
    func `another user's file or folder is refused`() {
        chown(plugin, 4711, 0)
        #expect(trust.problem(with: plugin)?.contains("belongs to user 4711") == true)
        chown(plugin, 0, 0)
        chown(folder.path + "/lib", 4711, 0)
        #expect(trust.problem(with: plugin)?.contains("sudo chown root \(folder.path)/lib") == true)
        // The program's owner could change it anyway.
        chown(folder.path + "/program", 4711, 0)
        #expect(trust.problem(with: plugin) == nil)
        chown(folder.path + "/lib", 0, 0)
    }

    @Test func `a plugin isn't built into a folder that everybody can write`() throws {
        chmod(folder.path + "/lib", 0o777)
        var builder = PluginBuilder()
        builder.output = folder.path + "/lib"
        let error = #expect(throws: PluginBuildError.self) { try builder.build() }
        // If there is no compiler, that is said first.
        if case .missing = error?.kind { return }
        #expect(error?.description.contains("no station would load a plugin from there") == true)
    }
}
