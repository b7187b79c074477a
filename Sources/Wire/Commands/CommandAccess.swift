import Settings

/// Through which door a command comes, and which commands and keys that door takes.
///
/// | door | takes |
/// |---|---|
/// | `control` | everything: the socket's mode and group say who may connect |
/// | `output` | what hosts need, since anyone who reaches a broker or a port can send it |
/// | `console` | what a person at the console's page may do: nothing that opens a door, or sets a file, a program or a host |
///
/// Both tables name what is allowed. A command that isn't in them is refused, so a new one is refused until somebody puts it there.
package enum CommandAccess: Hashable, Sendable {
    case control
    case output
    /// `movesDoor`: `console.door` is on.
    case console(movesDoor: Bool)

    private static let outputs: Set<CommandKind> = [
        .status, .trigger, .release, .confirm, .ack, .accept, .refuse, .torch, .focus, .camera, .viewport, .pause,
        .resume, .relay, .set, .cameras, .lines, .subscribe,
    ]

    private enum Rule {
        case allowed
        /// Only with `console.door: on`: it opens something, or says whether it opens.
        case movesDoor
        /// On trial, and only the settings in `ConsoleKeys`.
        case keys
    }

    private static let consoles: [CommandKind: Rule] = [
        .hello: .allowed, .status: .allowed, .subscribe: .allowed, .trigger: .allowed, .release: .allowed,
        .confirm: .allowed, .torch: .allowed, .focus: .allowed, .viewport: .allowed, .pause: .allowed,
        .resume: .allowed, .change: .keys, .keep: .allowed, .takeBack: .allowed, .cameras: .allowed, .preview: .allowed,
        .identify: .allowed,
        .scans: .allowed, .scan: .allowed, .sendAgain: .allowed, .testScan: .allowed, .outputs: .allowed,
        .doctor: .allowed, .schema: .allowed, .firstPassword: .allowed,
        .aim: .allowed,
        .relay: .movesDoor, .accept: .movesDoor, .refuse: .movesDoor,
    ]

    /// Why the command isn't taken here, and what to do; `nil`: it is taken.
    package func refusal(of command: Command) -> String? {
        let name = command.name
        switch self {
        case .control: return nil
        case .output:
            guard !Self.outputs.contains(command.kind) else { return nil }
            return "an output doesn't take the command \"\(name)\": send it on the control socket"
        case .console(let movesDoor):
            switch Self.consoles[command.kind] {
            case .allowed?: return nil
            case .movesDoor?:
                guard !movesDoor else { return nil }
                return "the console may not \"\(name)\": it may move the door only where root sets console.door: on"
            case .keys?:
                guard case .change(let values, _, _) = command else { return nil }
                return values.keys.sorted().first { !ConsoleKeys.all.contains($0) }.map { key in
                    let shown = key.prefix(scalars: CommandLimits().maxTextLength)
                    return "the console may not change \"\(shown)\": do it in the configuration, or with "
                        + "`scanstation ctl set`"
                }
            case nil where command.kind == .set:
                return "the console may not \"set\": it sends \"change\", which takes itself back; "
                    + "`scanstation ctl set` is on the station itself"
            case nil: return "the console may not \"\(name)\": use `scanstation ctl` on the station itself"
            }
        }
    }
}
