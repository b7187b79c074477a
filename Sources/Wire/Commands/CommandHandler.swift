/// Carries out a client's command and says what came of it. Called for one command per client at a time, in order; commands of different
/// clients may overlap.
package typealias CommandHandler = @Sendable (Command, ClientID) async -> Reply
