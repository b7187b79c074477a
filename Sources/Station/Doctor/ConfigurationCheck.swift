/// What `config check` says.
struct ConfigurationCheck: DoctorCheck {
    func findings(in context: DoctorContext) async -> [DoctorFinding] {
        guard !context.problems.isEmpty else { return [DoctorFinding(.ok, "config", "no problems found")] }
        return context.problems.map { problem in
            let isError = problem.severity == .error
            return DoctorFinding(
                isError ? .fail : .warn, "config", "\(problem)",
                remedy: isError ? "the station doesn't start until this is fixed" : nil)
        }
    }
}
