extension Command {
    /// The value of `"command"` on the wire.
    package var name: String { kind.rawValue }

    var kind: CommandKind {
        switch self {
        case .status: .status
        case .trigger: .trigger
        case .release: .release
        case .confirm: .confirm
        case .ack: .ack
        case .accept: .accept
        case .refuse: .refuse
        case .torch: .torch
        case .focus: .focus
        case .camera: .camera
        case .viewport: .viewport
        case .pause: .pause
        case .resume: .resume
        case .relay: .relay
        case .set: .set
        case .change: .change
        case .keep: .keep
        case .takeBack: .takeBack
        case .cameras: .cameras
        case .lines: .lines
        case .subscribe: .subscribe
        case .hello: .hello
        case .preview: .preview
        case .identify: .identify
        case .scans: .scans
        case .scan: .scan
        case .sendAgain: .sendAgain
        case .testScan: .testScan
        case .outputs: .outputs
        case .doctor: .doctor
        case .schema: .schema
        case .aim: .aim
        case .firstPassword: .firstPassword
        }
    }

    /// Every command's name, sorted.
    package static let names = CommandKind.allCases.map(\.rawValue).sorted()
}

/// The commands without their values: a new case of `Command` doesn't compile until it has a name and a decoder.
enum CommandKind: String, CaseIterable {
    case status, trigger, release, confirm, ack, accept, refuse, torch, focus, camera, viewport, pause, resume, relay
    case set, change, keep, takeBack, cameras, lines, subscribe, hello, preview, identify, scans, scan, sendAgain,
        testScan
    case outputs, doctor, schema, firstPassword, aim
}
