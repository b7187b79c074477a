import ArgumentParser
import StationConfiguration

/// The names of the configured outputs, for the shell's completion.
enum OutputNames {
    static let completion = CompletionKind.custom { _, _, _ in
        let settings = try? ConfigurationOptions().read().settings
        return settings?.outputs.map(\.name) ?? []
    }
}
