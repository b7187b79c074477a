import Settings

extension MQTTSettings {
    func problems(at place: String, station: String) -> [SettingProblem] {
        func problem(_ key: String, _ message: String) -> SettingProblem {
            SettingProblem(at: "\(place).\(key)", message)
        }
        var problems = [HostName.problem(with: host, at: place)].compactMap { $0 }
        if let port, !(1...65_535).contains(port) {
            problems.append(problem("port", "\(port) is not a number from 1 to 65535"))
        }
        if !(1...1000).contains(inFlight) {
            problems.append(problem("inFlight", "\(inFlight) is not a number from 1 to 1000"))
        }
        if !(.seconds(5)...(.seconds(65_535))).contains(keepAlive) {
            problems.append(problem("keepAlive", "\(keepAlive) is not a time from 5 s to 65535 s"))
        }
        problems += SecretSource.problems(
            file: passwordFile, credential: passwordCredential, place: place, what: "password")
        if username == nil,
            let key = passwordFile.map({ _ in "passwordFile" })
                ?? passwordCredential.map({ _ in
                    "passwordCredential"
                })
        {
            problems.append(
                SettingProblem(
                    path: "\(place).\(key)",
                    message: "\(place).username: is missing: a password needs the name that it belongs to"))
        }
        if let id = clientID, id.isEmpty || !MQTTClient.isValidTopic(id.replacing(/[+#]/, with: "_")) {
            problems.append(problem("clientID", "\"\(id)\" is empty or has a character that MQTT doesn't allow"))
        }
        problems += tls?.problems(at: place) ?? []
        return problems + MQTTTopics(self, station: station).problems(with: self, at: place)
    }
}
