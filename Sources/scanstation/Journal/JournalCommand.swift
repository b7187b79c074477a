import ArgumentParser

/// `scanstation journal …`: the file of scans, by itself.
struct JournalCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "journal",
        abstract: "Look at the record of scans, hand it on, check it, send scans again.",
        discussion: """
            list, show, exceptions, export and verify read the file and may be used while the station runs; replay and compact change it, \
            and refuse to while a station has it open. Passwords and one-time-password secrets are withheld unless asked for.
            """,
        subcommands: [
            JournalListCommand.self, JournalShowCommand.self, JournalExceptionsCommand.self, JournalExportCommand.self,
            JournalReplayCommand.self, JournalVerifyCommand.self, JournalCompactCommand.self,
        ])
}
