import Settings

/// Makes outputs from settings.
package enum OutputFactory {
    /// Throws the first of `OutputSettings.problems`.
    package static func make(
        _ settings: OutputSettings, context: OutputContext = OutputContext()
    ) throws(DeliveryError) -> any Output {
        let name = settings.name
        let secrets = settings.secrets
        try settings.problems(at: context.place, station: context.station).throwFirst()
        switch settings.kind {
        case .serial(let serial):
            return try SerialOutput(name: name, settings: serial, secrets: secrets, context: context)
        case .unixSocket(let socket):
            return UnixSocketOutput(
                name: name, settings: socket, secrets: secrets, journal: context.journal,
                answerRule: context.answerRule, handler: context.commands, object: context.object)
        case .standardOutput(let standard):
            return StandardOutput(
                name: name, settings: standard, secrets: secrets, descriptor: context.standardOutput)
        case .tcp(let tcp): return try TCPOutput(name: name, settings: tcp, secrets: secrets, context: context)
        case .mqtt(let mqtt): return try MQTTOutput(name: name, settings: mqtt, secrets: secrets, context: context)
        case .webhook(let webhook):
            return try WebhookOutput(name: name, settings: webhook, secrets: secrets, context: context)
        case .keyboard(let keyboard): return try KeyboardOutput(name: name, settings: keyboard, secrets: secrets)
        case .file(let file):
            let key = "\(settings.key(at: context.place)).path"
            return try FileOutput(name: name, settings: file, secrets: secrets) { [files = context.files] in
                files?.owner(of: $0, besides: key)
            }
        }
    }
}

extension OutputSettings {
    /// What keeps this output from working on any machine. What may change, such as a missing device, becomes a state of the output
    /// instead. `place`: where it is in the configuration (`outputs[1]`); `station`: the station's name.
    package func problems(at place: String, station: String) -> [SettingProblem] {
        let key = key(at: place)
        return switch kind {
        case .serial(let serial): serial.problems(at: key)
        case .unixSocket(let unix): unix.problems(at: key)
        case .standardOutput: []
        case .tcp(let tcp): tcp.problems(at: key)
        case .mqtt(let mqtt): mqtt.problems(at: key, station: station)
        case .webhook(let webhook): webhook.problems(at: key)
        case .keyboard(let keyboard): keyboard.problems(at: key)
        case .file(let file): file.format.problems(at: key)
        }
    }

    /// Where its own keys are: `outputs[1].webhook`.
    fileprivate func key(at place: String) -> String { "\(place).\(type(of: kind.settings).key)" }
}
