import Vocabulary

/// File names from the command line as the shell gave them: Swift's own arguments are text, where bytes that aren't UTF-8 are replaced.
struct ArgumentNames {
    /// The arguments that aren't UTF-8.
    private var names: [FileName]

    init() {
        self.init((0..<Int(CommandLine.argc)).compactMap { CommandLine.unsafeArgv[$0].map { FileName(cString: $0) } })
    }

    init(_ arguments: [FileName]) {
        names = arguments.filter { String(validating: $0.bytes, as: UTF8.self) == nil }
    }

    /// The name that became `argument`. Ask in the order of the command line.
    mutating func name(_ argument: String) -> FileName {
        guard let index = names.firstIndex(where: { String(decoding: $0.bytes, as: UTF8.self) == argument }) else {
            return FileName(argument)
        }
        return names.remove(at: index)
    }
}
