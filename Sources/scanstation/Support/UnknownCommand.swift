import ArgumentParser
import Vocabulary

/// A word that isn't a command, where one is expected.
struct UnknownCommand {
    let message: String

    /// `nil`: the commands are right; something else is wrong.
    init?(arguments: some Sequence<String>, of root: any ParsableCommand.Type) {
        var command = root
        var path = Self.name(of: root)
        for word in arguments {
            let subcommands = command.configuration.subcommands
            guard !subcommands.isEmpty, !word.hasPrefix("-") else { return nil }
            guard let next = subcommands.first(where: { Self.name(of: $0) == word }) else {
                // The parser's own.
                let names = subcommands.map(Self.name) + (path == Self.name(of: root) ? ["help"] : [])
                guard !names.contains(word) else { return nil }
                let near = Spelling.nearest(to: word, among: names).map { ", did you mean \($0)?" } ?? ":"
                message = "there is no command \"\(word)\"\(near) `\(path) --help` lists them"
                return
            }
            command = next
            path += " \(word)"
        }
        return nil
    }

    private static func name(of command: any ParsableCommand.Type) -> String {
        command.configuration.commandName ?? ""
    }
}
