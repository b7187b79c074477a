import ArgumentParser
import ConsoleAccess
import Glibc
import Linux
import Vocabulary
import Wire

/// `scanstation console`: who may use the station's page, told from the machine itself.
struct ConsoleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "console",
        abstract: "The station's page for a browser: its password, a link that lets you in once, its state.",
        subcommands: [ConsoleStatusCommand.self, ConsolePasswordCommand.self, ConsoleLinkCommand.self],
        defaultSubcommand: ConsoleStatusCommand.self)
}

struct ConsoleFolderOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The console's state folder.",
            discussion: "Without it: that of a console that runs, as a service or on this user's desk.",
            valueName: "folder"))
    var state: String?

    func folder() throws -> ConsoleFolder {
        if let state { return ConsoleFolder(state) }
        guard let folder = ConsoleFolder.running() else {
            Console.fail("there is no home for the console's state: name its folder with --state")
            throw ExitStatus.unavailable
        }
        return folder
    }
}

struct ConsolePasswordCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "password",
        abstract: "Set the password of the station's page, which opens the page to the network.",
        discussion: """
            It is asked for twice; from a pipe, it is the first line. Everybody who is signed in has to sign in again. The running console \
            notices within seconds.
            """)

    @OptionGroup var options: ConsoleFolderOptions
    @Flag(help: "Take the password away: the page can then be opened on this machine only.") var remove = false

    func run() async throws {
        let file = PasswordFile(try options.folder())
        do {
            if remove {
                let wasSet = file.remove()
                Console.print(
                    wasSet
                        ? "the password is removed; the page can be opened on this machine only" : "no password was set"
                )
                return
            }
            guard let password = try HiddenInput.newPassword() else { throw ExitStatus.nothing }
            try file.write(try PasswordHash(password: password))
        } catch let error as AccessError {
            Console.fail(error.description)
            throw ExitStatus.cannotCreate
        }
        Console.print("the password is set")
        guard let place = ConsolePlace(in: file.folder) else {
            return Console.print(
                "no console is running: `scanstation-console` starts with a station on a desk, or as a service")
        }
        var shown = place
        shown.isOnNetwork = true
        for address in shown.addresses { Console.print("  \(address)") }
    }
}

struct ConsoleLinkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "link",
        abstract: "Print a link to the station's page that lets one browser in, within ten minutes.")

    @OptionGroup var options: ConsoleFolderOptions

    func run() async throws {
        let folder = try options.folder()
        guard let place = ConsolePlace(in: folder) else {
            Console.fail(
                "no console is running with the state folder \(folder.path): start the station (`scanstation run`) or the service "
                    + "(`systemctl start scanstation-console`), or name the folder with --state")
            throw ExitStatus.unavailable
        }
        do throws(AccessError) {
            let key = try LinkKeys(folder).make(at: .now)
            for address in place.addresses { Console.print("\(address)#key=\(key)") }
            if place.addresses.count > 1 { Console.error("(one link under several names: it lets one browser in)") }
        } catch {
            Console.fail(error.description)
            throw ExitStatus.cannotCreate
        }
    }
}

struct ConsoleStatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Say where the station's page is, and whether it has a password.")

    @OptionGroup var options: ConsoleFolderOptions
    @Flag(help: "As JSON.") var json = false

    func run() async throws {
        let folder = try options.folder()
        let isSet: Bool
        do { isSet = try PasswordFile(folder).read() != nil } catch {
            Console.fail(error.description)
            throw ExitStatus.noPermission
        }
        let place = ConsolePlace(in: folder)
        if json {
            let value: JSONValue = [
                "state": .string(folder.path), "passwordSet": .bool(isSet), "running": .bool(place != nil),
                "addresses": .array((place?.addresses ?? []).map { .string($0) }),
            ]
            return Console.print(value.description)
        }
        if let place {
            for address in place.addresses { Console.print("page      \(address)") }
        } else {
            Console.print("page      no console is running")
        }
        Console.print(
            "password  "
                + (isSet
                    ? "set" : "not set: `scanstation console password` sets one, and opens the page to the network"))
        Console.print("state     \(folder.path)")
        if place == nil { throw ExitStatus.nothing }
    }
}

/// A password from the terminal without showing it, or from a pipe.
private enum HiddenInput {
    static func newPassword() throws(AccessError) -> String? {
        guard Console.isInputTerminal else {
            guard let line = readLine() else {
                throw AccessError("standard input has no password: its first line is taken")
            }
            return line
        }
        guard let first = ask("New password: "), let second = ask("Once more: ") else { return nil }
        guard first == second else { throw AccessError("the two passwords differ: nothing was changed") }
        return first
    }

    private static func ask(_ prompt: String) -> String? {
        Console.write(prompt, to: STDERR_FILENO)
        var shown = termios()
        let isTerminal = tcgetattr(STDIN_FILENO, &shown) == 0
        var hidden = shown
        hidden.c_lflag &= ~tcflag_t(ECHO)
        if isTerminal { _ = tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden) }
        defer {
            if isTerminal { _ = tcsetattr(STDIN_FILENO, TCSAFLUSH, &shown) }
            Console.write("\n", to: STDERR_FILENO)
        }
        return readLine()
    }
}
