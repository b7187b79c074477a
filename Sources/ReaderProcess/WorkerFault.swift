import Glibc
import ReaderProtocol

/// A test aid: lets the process misbehave in the ways that the station must survive. Only from the command line.
enum WorkerFault: Hashable {
    case none
    case crash(frame: Int)
    case hang(frame: Int)
    case garbage(frame: Int)
    /// Tries to open a file, and crashes if that succeeds; then to start a process.
    case open(frame: Int)
    /// Acts like a library that takes all the memory it can get while a picture is decoded; crashes if that is far more than the picture
    /// needs.
    case swell(frame: Int)
    case crashInPass(Int)
    case hangInPass(Int)
    case crashInLadder
    case crashAtStart
    case hangAtStart
    /// Says that it is of another version of ScanStation, or speaks another protocol.
    case otherVersion
    case otherProtocol

    init?(argument: String) {
        let parts = argument.split(separator: "=", maxSplits: 1)
        let number = parts.count == 2 ? Int(parts[1]) : nil
        switch (parts.first, number) {
        case ("crash-on-frame", let number?): self = .crash(frame: number)
        case ("hang-on-frame", let number?): self = .hang(frame: number)
        case ("garbage-on-frame", let number?): self = .garbage(frame: number)
        case ("open-on-frame", let number?): self = .open(frame: number)
        case ("swell-on-frame", let number?): self = .swell(frame: number)
        case ("crash-on-pass", let number?): self = .crashInPass(number)
        case ("hang-on-pass", let number?): self = .hangInPass(number)
        case ("crash-in-ladder", nil): self = .crashInLadder
        case ("crash-at-start", nil): self = .crashAtStart
        case ("hang-at-start", nil): self = .hangAtStart
        case ("other-version", nil): self = .otherVersion
        case ("other-protocol", nil): self = .otherProtocol
        default: return nil
        }
    }

    /// Which build it says that it is of.
    var build: ReaderBuild {
        switch self {
        case .otherVersion: ReaderBuild(protocolVersion: ReaderBuild.own.protocolVersion, version: "9.9.9")
        case .otherProtocol: ReaderBuild(protocolVersion: 5, version: "0.0.1")
        default: .own
        }
    }

    func strikeAtStart() {
        if self == .crashAtStart { abort() }
        if self == .hangAtStart { Self.hang() }
    }

    /// `send` puts raw bytes on the channel.
    func strike(frame: Int, send: ([UInt8]) -> Void) {
        if self == .crash(frame: frame) { abort() }
        if self == .hang(frame: frame) { Self.hang() }
        if self == .garbage(frame: frame) { send([0xFF, 0x00, 0x13, 0x37]) }
        if self == .open(frame: frame) {
            if Glibc.open("/etc/hostname", O_RDONLY) >= 0 || errno != EPERM { abort() }
            // Ends the process, because the system call isn't allowed.
            _ = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        }
    }

    func strikeInLadder() {
        if self == .crashInLadder { abort() }
    }

    /// Beside the decoding of a small picture.
    func strikeInDecoding(frame: Int) {
        guard self == .swell(frame: frame) else { return }
        let piece = 16 << 20
        let pieces = (0..<64).map { _ in malloc(piece) }
        if pieces.allSatisfy({ $0 != nil }) { abort() }
        pieces.forEach(free)
    }

    func strike(pass: Int) {
        if self == .crashInPass(pass) { abort() }
        if self == .hangInPass(pass) { Self.hang() }
    }

    private static func hang() {
        while true { sleep(60) }
    }
}
