import Control
import Delivery
import Reading
import Settings

extension StationSettings {
    /// Errors that keep a station from starting with these settings on this machine, and warnings. `Station` refuses the settings for the
    /// first error; `run`, `config check`, `doctor` and a reload show all problems with their places in the file. `decoders`: what the
    /// linked decoders read; `nil`: unknown.
    package func problems(decoders: DecoderInventory?) -> [SettingProblem] {
        var problems: [SettingProblem] = []
        if let problem = confirmation.problem {
            problems.append(SettingProblem(path: "confirmation", message: problem))
        }
        for symbology in decoders?.refused(in: reading) ?? [] {
            problems.append(
                SettingProblem(
                    path: "reading.symbologies.\(symbology.rawValue)", message: DecoderInventory.refusal(of: symbology))
            )
        }
        let station = name ?? StationHost.name
        for (index, output) in outputs.enumerated() {
            problems += output.problems(at: "outputs[\(index)]", station: station)
        }
        return problems + control.problems
    }

    /// Throws the first error.
    func check(decoders: DecoderInventory?) throws(StationError) {
        guard let first = problems(decoders: decoders).first(where: { $0.severity == .error }) else { return }
        throw StationError(.configuration, first.message)
    }
}
