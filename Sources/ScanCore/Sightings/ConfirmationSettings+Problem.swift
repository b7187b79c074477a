import Settings
import Vocabulary

extension ConfirmationSettings {
    /// What is wrong with these settings, as a sentence for the person who wrote them; `nil` when nothing is.
    package var problem: String? {
        if policy != .never && button == nil && !acceptsCommand {
            return "confirmation.policy is \"\(policy.rawValue)\", but nothing could ever confirm a scan: set "
                + "confirmation.button, or confirmation.acceptsCommand to true, or confirmation.policy to \"never\""
        }
        if policy != .never && timeout <= .zero {
            return "confirmation.timeout must be longer than 0, or no scan could be confirmed in time"
        }
        return nil
    }

    /// Whether a code of this symbology must be confirmed before it becomes a scan.
    package func needsConfirmation(_ symbology: Symbology) -> Bool {
        switch policy {
        case .never: false
        case .alphanumeric: !symbology.isNumericOnly
        case .always: true
        }
    }
}
