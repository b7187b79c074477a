import ArgumentParser

/// `scanstation journal …`: the file of scans, by itself.
struct JournalCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "journal",
        abstract: "Show, export and check the record of scans, or send scans again.",
        discussion: """
            list, show, exceptions, export and verify only read the file and may be used while the station runs. replay and compact change it \
            and refuse while a station has it open. Passwords and one-time-password secrets are withheld unless --secrets asks for them.
            """,
        subcommands: [
            JournalListCommand.self, JournalShowCommand.self, JournalExceptionsCommand.self, JournalExportCommand.self,
            JournalReplayCommand.self, JournalVerifyCommand.self, JournalCompactCommand.self,
        ])
}
