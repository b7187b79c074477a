import Settings
import Templates

extension KeyboardSettings {
    /// A template with an error, or with text of its own that the layout can't type, and control characters without a key.
    func problems(at place: String) -> [SettingProblem] {
        let formatProblems = format.problems(at: place)
        guard formatProblems.isEmpty else { return formatProblems }
        let typist: KeyboardTypist
        do throws(KeyboardTypist.Refusal) { typist = try KeyboardTypist(self) } catch {
            return [SettingProblem(path: "\(place).allowControls", message: "\(place).\(error.reason)")]
        }
        let others = format.templates.sorted { $0.key < $1.key }.map { ("templates.\($0.key.rawValue)", $0.value) }
        return ([("template", format.template)] + others).compactMap { key, source in
            guard let template = try? Template(source) else { return nil }
            do throws(KeyboardTypist.Refusal) {
                _ = try typist.keys(for: template.literals.map { Template.Run($0, isLiteral: true) })
                return nil
            } catch {
                return SettingProblem(at: "\(place).\(key)", error.reason)
            }
        }
    }
}
