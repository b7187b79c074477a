import Settings
import Wire

extension TCPSettings {
    func problems(at place: String) -> [SettingProblem] {
        var problems = [HostName.problem(with: host, at: place)].compactMap { $0 }
        // 0 lets the system choose: only for listening, and not from a configuration.
        if !((role == .client ? 1 : 0)...65_535).contains(port) {
            problems.append(SettingProblem(at: "\(place).port", "\(port) is not a number from 1 to 65535"))
        }
        return problems + format.problems(at: place)
    }
}

/// A host's name or address, for `tcp` and `mqtt`: without a scheme and without a port.
enum HostName {
    /// `place`: the section that has `host` and `port`.
    static func problem(with host: String, at place: String) -> SettingProblem? {
        let shown = TerminalText.escape(host, limit: 100)
        let path = "\(place).host"
        guard !host.isEmpty, host.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != 0x2F }) else {
            let advice = meant(by: host).map { ": write \($0)" } ?? ""
            return SettingProblem(at: path, "\"\(shown)\" is neither a name nor an address\(advice)")
        }
        // An IPv6 address has at least two colons.
        guard host.count(where: { $0 == ":" }) != 1 else {
            return SettingProblem(at: path, "\"\(shown)\": the port goes into \(place).port")
        }
        return nil
    }

    /// `host: x, port: 1883` for `mqtt://x:1883`, with `tls` if the scheme implies it; `nil` if it isn't a URL.
    private static func meant(by url: String) -> String? {
        guard let match = url.wholeMatch(of: /([a-z]+):\/\/([A-Za-z0-9.\-]+)(?::([0-9]{1,5}))?\/?/) else { return nil }
        let isEncrypted = ["mqtts", "ssl", "tls", "wss", "https"].contains(String(match.1))
        return "host: \(match.2)" + (match.3.map { ", port: \($0)" } ?? "") + (isEncrypted ? ", tls: {}" : "")
    }
}
