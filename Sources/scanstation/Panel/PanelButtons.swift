import Peripherals
import Station
import Vocabulary

/// What the panel's keys for the trigger and the confirm button do: they press the buttons of a simulated panel, or send commands to a
/// station whose buttons are real.
@MainActor
struct PanelButtons {
    let station: Station
    /// `nil`: the lines are real ones.
    let panel: SimulatedPanel?

    func press(_ role: LineRole) async -> String? {
        if let panel {
            panel.press(role)
            return nil
        }
        return await station.perform(role == .confirm ? .confirm : .trigger).error
    }

    func release(_ role: LineRole) async -> String? {
        if let panel {
            panel.release(role)
            return nil
        }
        guard role == .trigger, await station.openSession != nil else { return nil }
        return await station.perform(.release).error
    }
}
