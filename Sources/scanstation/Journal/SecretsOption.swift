import ArgumentParser
import Settings

/// `--secrets`: as an output's `secrets` in the configuration.
struct SecretsOption: ParsableArguments {
    @Option(
        help: """
            Passwords and one-time-password secrets: withheld (the whole code that holds one), revealed, or asConfigured \
            (only in the parsed payload).
            """)
    var secrets: SecretPolicy = .withheld
}

extension SecretPolicy: ExpressibleByArgument {}
