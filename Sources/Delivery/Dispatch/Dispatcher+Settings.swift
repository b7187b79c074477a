import Journal
import Settings

extension Dispatcher {
    /// A dispatcher with an output for each of `settings`; throws as `OutputFactory.make` does. Outputs whose clients may ask
    /// for what they missed read it from `journal`.
    /// - Parameter skipsEarlierRuns: what the journal holds of earlier runs isn't delivered.
    package init(
        settings: [OutputSettings], context: OutputContext = OutputContext(), journal: any ScanJournal,
        skipsEarlierRuns: Bool = false, clock: DeliveryClock = .system
    ) throws(DeliveryError) {
        var outputs: [(output: any Output, policy: DeliveryPolicy)] = []
        for (index, output) in settings.enumerated() {
            var context = context
            context.place = "outputs[\(index)]"
            context.journal = context.journal ?? journal
            var policy = DeliveryPolicy(output)
            policy.skipsEarlierRuns = skipsEarlierRuns
            outputs.append((try OutputFactory.make(output, context: context), policy))
        }
        self.init(outputs: outputs, journal: journal, clock: clock)
    }
}
