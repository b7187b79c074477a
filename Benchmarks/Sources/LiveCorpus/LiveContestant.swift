import Decoding
import Foundation
import ReaderProtocol
import Vocabulary

/// The readers of a picture that is shown to a camera.
enum LiveContestant: String, CaseIterable {
    /// Ours, always looking.
    case presentation
    /// Ours, while a session waits.
    case triggered
    /// Ours, always looking, without the ladder in idle time.
    case turnsOnly
    /// Ours, while a session waits, without the ladder.
    case triggeredTurnsOnly
    case tenLines
    /// Our reader of stills, on one of the same frames: what could be read given time.
    case still

    /// Those that the goals apply to.
    static let held = [presentation, triggered]

    /// The frame that `still` reads: by then the lens has focused.
    static let stillFrame = 15

    /// Whether it tells a code that stays in view once. The others tell each code in each frame.
    var followsCodes: Bool { self != .tenLines && self != .still }

    var name: String {
        switch self {
        case .presentation: "ours, always looking"
        case .triggered: "ours, a session waits"
        case .turnsOnly: "ours, without the ladder"
        case .triggeredTurnsOnly: "a session, without it"
        case .tenLines: "ten lines: ZBar and ZXing"
        case .still: "ours, one frame as a still"
        }
    }
}

/// A scan of a picture that is shown to a camera.
struct VirtualScan {
    /// Since the first frame's delivery.
    var time: Duration
    var symbol: Symbol
    /// The number of the frame that shows the symbol where it is.
    var frame: Int
}

/// One contestant with one picture, run in a separate process because decoders may abort.
struct LiveShow {
    var contestant: LiveContestant
    var subject: ShownSubject
    var hold: Hold
    var seed: UInt64
    var frames: Int
    var machine = VirtualMachine()
    /// Frames on which a decoder aborted.
    var fatalFrames: Set<Int> = []

    /// Writes a line for each frame that is read, one for each look at it, and one with time and data for each scan.
    func runAndPrint() -> Int32 {
        guard let picture = ShownPicture(subject, seed: seed) else {
            print("error can't be read")
            return 1
        }
        let camera = VirtualCamera(picture, hold: hold, frames: frames, seed: seed)
        let core = VirtualCore(factor: machine.factor * (contestant == .tenLines ? 1 : machine.crowding))
        let onScan = { (scan: VirtualScan) in
            let symbol = scan.symbol
            let reading = PeerReading(
                symbology: symbol.symbology, bytes: symbol.bytes, text: symbol.text,
                centre: picture.inPicture(camera.onPicture(symbol.corners.centre, frame: scan.frame)))
            print("scan \(scan.time.milliseconds) \(reading.line)")
        }
        let willRead = { (frame: Int) in
            print("frame \(frame)")
            // The line must be written before a decoder aborts.
            fflush(nil)
        }
        switch contestant {
        case .presentation, .triggered, .turnsOnly, .triggeredTurnsOnly:
            VirtualStation(
                camera: camera, core: core, coreCount: machine.cores,
                isTriggered: contestant == .triggered || contestant == .triggeredTurnsOnly,
                isWithoutLadder: contestant == .turnsOnly || contestant == .triggeredTurnsOnly,
                fatalFrames: fatalFrames, seed: seed,
                willRead: willRead, didLook: { print("look \($0.line)") }
            ).run(frames: frames, onScan: onScan)
        case .tenLines:
            TenLines(camera: camera, core: core, fatalFrames: fatalFrames, willRead: willRead)
                .run(frames: frames, onScan: onScan)
        case .still:
            let frame = min(LiveContestant.stillFrame, frames - 1)
            ShownPicture.withLuma(of: camera.frame(frame)) { view in
                for symbol in DecodeEngine(rules: Contestant.rules).read(view, effort: .exhaustive) {
                    onScan(VirtualScan(time: .zero, symbol: symbol, frame: frame))
                }
            }
        }
        return 0
    }
}

/// The result of a show.
struct LiveShowResult {
    struct Scan {
        var milliseconds: Double
        var reading: PeerReading
    }

    var scans: [Scan] = []
    var crashes = 0
    var problem: String?

    /// Repeats the show, leaving out the frames that a decoder aborts on, until it gets to the end. Throws when it can't be started.
    init(_ show: LiveShow) throws {
        var show = show
        while true {
            scans = []
            var lastFrame: Int?
            let fatal = show.fatalFrames.sorted().map(String.init).joined(separator: ",")
            let (output, hasCrashed) = try ContestantProcess.run([
                "show", show.contestant.rawValue, show.subject.text, show.hold.rawValue, String(show.seed),
                String(show.frames), String(show.machine.factor), String(show.machine.cores),
                String(show.machine.crowding),
                fatal.isEmpty ? "-" : fatal,
            ])
            for line in output.split(separator: "\n") {
                let fields = line.split(separator: " ", maxSplits: 2)
                switch fields.first {
                case "frame": lastFrame = fields.count == 2 ? Int(fields[1]) : nil
                case "scan":
                    guard fields.count == 3, let time = Double(fields[1]), let reading = PeerReading(line: fields[2])
                    else { continue }
                    scans.append(Scan(milliseconds: time, reading: reading))
                case "error": problem = String(line.dropFirst(6))
                default: break
                }
            }
            guard hasCrashed else { return }
            crashes += 1
            // The still reader prints no frame: if it crashes, the rest doesn't count.
            guard let frame = lastFrame, show.fatalFrames.insert(frame).inserted else { return }
        }
    }
}
