import Journal
import ScanCore

extension Dispatcher {
    /// A dispatcher with an output for each of `settings`; throws as `OutputFactory.make` does. Outputs whose clients may ask
    /// for what they missed read it from `journal`.
    public init(
        settings: [OutputSettings], context: OutputContext = OutputContext(), journal: any ScanJournal,
        clock: DeliveryClock = .system
    ) throws(DeliveryError) {
        var outputs: [(output: any Output, policy: DeliveryPolicy)] = []
        for (index, output) in settings.enumerated() {
            var context = context
            context.place = "outputs[\(index)]"
            context.journal = context.journal ?? journal
            outputs.append((try OutputFactory.make(output, context: context), DeliveryPolicy(output)))
        }
        self.init(outputs: outputs, journal: journal, clock: clock)
    }
}
