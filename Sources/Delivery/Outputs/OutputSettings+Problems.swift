import Settings
import Templates

extension OutputSettings {
    /// What keeps this output from working on any machine; what may change, such as a device that is missing, is a state of the
    /// output instead. `place`: where it stands in the configuration (`outputs[1]`); `station`: the station's name.
    package func problems(at place: String, station: String) -> [SettingProblem] {
        switch kind {
        case .serial(let serial): serial.problems(at: "\(place).serial")
        case .unixSocket(let unix): unix.problems(at: "\(place).unix")
        case .standardOutput: []
        case .tcp(let tcp): tcp.problems(at: "\(place).tcp")
        case .mqtt(let mqtt): mqtt.problems(at: "\(place).mqtt", station: station)
        case .webhook(let webhook): webhook.problems(at: "\(place).webhook")
        case .keyboard(let keyboard): keyboard.problems(at: "\(place).keyboard")
        case .file(let file): file.format.problems(at: "\(place).file")
        }
    }
}

extension [SettingProblem] {
    /// For whoever is to be made of the settings: the first error is thrown, as there is nothing to make.
    func throwFirst() throws(DeliveryError) {
        guard let first = first(where: { $0.severity == .error }) else { return }
        throw DeliveryError(.badSetting, first.message)
    }
}

extension FormatSettings {
    /// `place`: the section that has `template` and `templates`.
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
                SettingProblem(at: "\(place).baud", "\(baud) baud is not a serial speed; there are \(rates)"))
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
