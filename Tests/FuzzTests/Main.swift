import Glibc

/// libFuzzer's loop. Its own main function can't be used, because one program serves every target.
@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ check: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// `SCANSTATION_FUZZ_TARGET=NAME scanstation-fuzz …`, with libFuzzer's arguments; a file among them is tried once.
@main
struct Main {
    static func main() {
        guard chosen != nil else {
            let names = FuzzTarget.all.map(\.name).joined(separator: ", ")
            say("scanstation-fuzz: set SCANSTATION_FUZZ_TARGET to one of \(names)")
            exit(64)
        }
        var count = CommandLine.argc
        var arguments = CommandLine.unsafeArgv
        exit(runFuzzer(&count, &arguments) { bytes, count in tryOnce(UnsafeBufferPointer(start: bytes, count: count)) })
    }
}

private let chosen = getenv("SCANSTATION_FUZZ_TARGET").flatMap { name in
    FuzzTarget.all.first { $0.name == String(cString: name) }
}

/// Processor time that one input may take, with the sanitizer's own share: no input of 64 KiB may take seconds.
private let maxSeconds = 2.0

private func tryOnce(_ bytes: UnsafeBufferPointer<UInt8>) -> CInt {
    guard let chosen else { return -1 }
    tryOut(chosen, Array(bytes))
    // What takes the square of its length shows only in long inputs, which libFuzzer seldom makes. So some of the short ones are
    // tried as a long one made of them; which ones depends on nothing but their bytes, so that a finding can be repeated.
    if (2...512).contains(bytes.count), fingerprint(bytes) % 1024 == 0 {
        tryOut(chosen, Array((0..<(1 << 16) / bytes.count).map { _ in bytes }.joined()))
    }
    return 0
}

private func tryOut(_ target: FuzzTarget, _ bytes: [UInt8]) {
    let start = processorSeconds()
    var input = FuzzInput(bytes)
    do {
        try target.check(&input)
    } catch {
        say("\(error)")
        abort()
    }
    let seconds = processorSeconds() - start
    if seconds > maxSeconds {
        say("broken promise: \(bytes.count) bytes took \(seconds) s of the processor")
        abort()
    }
}

/// On standard error, before whatever the sanitizer says.
private func say(_ text: String) {
    let line = Array((text + "\n").utf8)
    _ = write(STDERR_FILENO, line, line.count)
}

private func processorSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// FNV-1a.
private func fingerprint(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt32 {
    bytes.reduce(0x811C_9DC5) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
}
