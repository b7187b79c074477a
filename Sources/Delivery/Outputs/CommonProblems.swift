import Settings
import Templates

extension [SettingProblem] {
    /// For initialisers: throws the first error.
    func throwFirst() throws(DeliveryError) {
        guard let first = first(where: { $0.severity == .error }) else { return }
        throw DeliveryError(.badSetting, first.message)
    }
}

extension FormatSettings {
    /// `place`: the section with `template` and `templates`.
    func problems(at place: String) -> [SettingProblem] {
        let others = templates.sorted { $0.key < $1.key }.map { ("\(place).templates.\($0.key.rawValue)", $0.value) }
        return ([("\(place).template", template)] + others).compactMap { path, source in
            do throws(TemplateError) {
                _ = try Template(source)
                return nil
            } catch {
                return SettingProblem(
                    path: path, message: "\(path), character \(error.position): \(error.problem)")
            }
        }
    }
}

extension SerialSettings {
    func problems(at place: String) -> [SettingProblem] {
        var problems: [SettingProblem] = []
        if BaudRate.table[baud] == nil {
            let rates = BaudRate.supported.map(String.init).joined(separator: ", ")
            problems.append(
                SettingProblem(at: "\(place).baud", "\(baud) baud is not a serial speed; the speeds are \(rates)"))
        }
        if !(7...8).contains(dataBits) {
            problems.append(SettingProblem(at: "\(place).dataBits", "\(dataBits) is neither 7 nor 8"))
        }
        if !(1...2).contains(stopBits) {
            problems.append(SettingProblem(at: "\(place).stopBits", "\(stopBits) is neither 1 nor 2"))
        }
        return problems + format.problems(at: place)
    }
}

extension TLSSettings {
    /// `place`: the section of the output.
    func problems(at place: String) -> [SettingProblem] {
        guard (certificate == nil) != (key == nil) else { return [] }
        let missing = key == nil ? "key" : "certificate"
        return [
            SettingProblem(at: "\(place).tls.\(missing)", "is missing: certificate and key go together")
        ]
    }
}
