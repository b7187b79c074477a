import CLinux
import Decoding
import Glibc
import ReaderProtocol
import Vocabulary

/// The process's three modes: serving, listing the decoders, usage.
package struct WorkerMain {
    /// The program's name, for its usage text.
    private let program: String
    /// `nil`: it only reads frames.
    private let pictures: (any PictureDecoder)?

    /// Exit statuses, after sysexits.h.
    private static let usageError: Int32 = 64
    private static let osError: Int32 = 71
    /// Where the station puts our end of the channel.
    private static let channel: Int32 = 3

    package init(program: String, pictures: (any PictureDecoder)? = nil) {
        self.program = program
        self.pictures = pictures
    }

    /// Returns the exit status.
    package func run(_ arguments: [String]) -> Int32 {
        guard let arguments = WorkerArguments(arguments) else {
            write(WorkerArguments.usage(program), to: 2)
            return Self.usageError
        }
        switch arguments.mode {
        case .help: write(WorkerArguments.usage(program), to: 1)
        case .capabilities:
            for capability in DecodeEngine.capabilities() { write(line(capability), to: 1) }
        case .serve: return serve(arguments)
        }
        return 0
    }

    private func serve(_ arguments: WorkerArguments) -> Int32 {
        var (peer, user, group): (pid_t, uid_t, gid_t) = (0, 0, 0)
        guard CLinux_peer_credentials(Self.channel, &peer, &user, &group) == 0 else {
            write(
                "\(program) --serve: descriptor 3 is not a socket; the station starts this, not a person\n",
                to: 2)
            return Self.usageError
        }
        arguments.fault.strikeAtStart()
        var limits = CLinux_Limits(address_space_bytes: arguments.memoryLimitMegabytes << 20, open_files: 16)
        guard CLinux_drop_privileges(&limits) == 0 else { return Self.osError }
        // Whatever the decoders load or look up on their first use must happen while opening files is allowed.
        warmUp()
        let memory = WorkerMemory()
        let status = CLinux_confine()
        // Without the filter it is still a separate process without privileges; the station logs that the filter is missing.
        guard status == 0 || status == -ENOSYS else { return Self.osError }
        let loop = WorkerLoop(
            channel: Self.channel, isConfined: status == 0, memory: memory, pictures: pictures, fault: arguments.fault)
        return loop.run()
    }

    /// Every symbology on a small picture with some structure.
    private func warmUp() {
        let rules = DecodeRules(
            symbologies: Dictionary(uniqueKeysWithValues: Symbology.allCases.map { ($0, DecodeRules.Rule()) }))
        let side = 64
        let pixels = (0..<side * side).map { index in UInt8(truncatingIfNeeded: (index / 3 ^ index / side) * 85) }
        pixels.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            let view = LumaView(base: base, size: FrameSize(width: side, height: side), rowStride: side)
            let engine = DecodeEngine(rules: rules)
            for turn: UInt32 in 0..<4 {
                _ = engine.read(view, effort: .quick(turn: turn))
                _ = engine.read(view, effort: .thorough(turn: turn))
            }
        }
    }

    /// `ZXing-C++ 3.1.1: aztec, codabar, …`
    private func line(_ capability: DecoderCapability) -> String {
        let symbologies = capability.symbologies.map(\.rawValue).joined(separator: ", ")
        return "\(capability.library) \(capability.version): \(symbologies)\n"
    }

    private func write(_ text: String, to descriptor: Int32) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count <= 0, errno != EINTR { return }
            bytes = bytes.dropFirst(max(0, count))
        }
    }
}
