import StationConfiguration
import Vocabulary
import Wire

/// Doctor's checks of a station that runs. One at a time: the checks read files, and two wouldn't see more.
///
/// Belongs to the station's actor.
final class Examination {
    private var isUnderWay = false
    private let doctor: Doctor

    init(_ doctor: Doctor) { self.doctor = doctor }

    /// - Parameter context: what is examined; asked for only if nobody else examines it.
    func run(_ context: (isolated Station) async -> DoctorContext, in station: isolated Station) async throws
        -> [String: JSONValue]
    {
        guard !isUnderWay else {
            throw CommandRefusal("the station is being examined already: try again in a moment")
        }
        isUnderWay = true
        defer { isUnderWay = false }
        let context = await context(station)
        var findings = context.settings.problems(decoders: station.options.decoders).map { problem in
            DoctorFinding(problem.severity == .error ? .fail : .warn, "config", "\(problem.path): \(problem.message)")
        }
        for await finding in doctor.findings(in: context) { findings.append(finding) }
        return ["findings": .array(findings.map(\.json))]
    }
}

extension DoctorFinding {
    fileprivate var json: JSONValue {
        let verdict =
            switch level {
            case .ok: "ok"
            case .warn: "warning"
            case .fail: "fails"
            }
        return .object([
            "check": .string(subject), "verdict": .string(verdict), "text": .string(finding),
            "advice": remedy.map(JSONValue.string) ?? .null,
        ])
    }
}
