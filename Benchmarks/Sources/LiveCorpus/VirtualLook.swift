import Foundation
import Vocabulary

/// A reader's look at a frame: what was tried when, and what it gave. All looks of a show, in order, are its schedule.
struct VirtualLook {
    /// Since the first frame's delivery.
    var end: Duration
    var cost: Duration
    var effort: ReadEffort
    var frame: Int
    /// Each pass' observations.
    var symbols: [Symbol]

    var line: String {
        let what =
            switch effort {
            case .quick(let turn): "quick \(turn)"
            case .thorough(let turn): "thorough \(turn)"
            case .ladder(let order): "ladder \(order.round)"
            case .exhaustive: "exhaustive"
            case .diagnosis: "diagnosis"
            }
        let seen = symbols.map { symbol in
            let evidence = symbol.evidence
            return
                "\(symbol.symbology.rawValue) \(symbol.text ?? "") by \(evidence.decoder) pass \(evidence.pass) strength \(evidence.strength)"
        }
        return String(format: "%.1f ms, took %.1f: frame %d, %@", end.milliseconds, cost.milliseconds, frame, what)
            + (seen.isEmpty ? "" : ": ") + seen.joined(separator: "; ")
    }
}
