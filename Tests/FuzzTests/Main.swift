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

/// Processor time that one input may take, with the sanitizer's own share. Beyond it a long input made of copies is judged by how its time
/// grows: what takes twice as long as half of it is only slow because the machine is.
private let maxSeconds = 2.0
/// However its time grows. All tries of one input together stay within what `deploy/fuzz` gives it.
private let mostSeconds = 5.0
/// How many times longer it takes than with half of the copies: 2 if time grows with the length, 4 with its square.
private let mostGrowth = 2.5
/// Halvings that are looked at: a square may be bounded, and then shows only below its bound.
private let halvings = 3
private let longLength = 1 << 16

private func tryOnce(_ bytes: UnsafeBufferPointer<UInt8>) -> CInt {
    guard let chosen else { return -1 }
    let seconds = tryOut(chosen, Array(bytes))
    if seconds > maxSeconds { slow(bytes.count, seconds, "") }
    // What takes the square of its length shows only in long inputs, which libFuzzer seldom makes. So some of the short ones are
    // tried as a long one made of them; which ones depends on nothing but their bytes, so that a finding can be repeated.
    if (2...512).contains(bytes.count), fingerprint(bytes) % 1024 == 0 {
        tryLong(chosen, bytes, copies: longLength / bytes.count)
    }
    return 0
}

private func tryLong(_ target: FuzzTarget, _ bytes: UnsafeBufferPointer<UInt8>, copies: Int) {
    func seconds(copies: Int) -> Double { tryOut(target, Array(repeatElement(bytes, count: copies).joined())) }
    let count = copies * bytes.count
    let first = seconds(copies: copies)
    guard first > maxSeconds else { return }
    if first > mostSeconds { slow(count, first, "") }
    var times = (0...halvings).map { _ in Double.infinity }
    // Turn about, so that what else the machine does is in all; the least of each has least of it.
    for _ in 0..<2 {
        for halving in 0...halvings { times[halving] = min(times[halving], seconds(copies: copies >> halving)) }
    }
    let growth = zip(times, times.dropFirst()).map { $0 / $1 }
    // A little time says nothing.
    for (halving, growth) in growth.enumerated() where growth > mostGrowth && times[halving] > maxSeconds / 4 {
        slow(count >> halving, times[halving], ", half of them \(times[halving + 1]) s")
    }
}

private func slow(_ count: Int, _ seconds: Double, _ compared: String) -> Never {
    say("broken promise: \(count) bytes took \(seconds) s of the processor\(compared)")
    abort()
}

/// Processor time, in seconds.
private func tryOut(_ target: FuzzTarget, _ bytes: [UInt8]) -> Double {
    let start = processorSeconds()
    var input = FuzzInput(bytes)
    do {
        try target.check(&input)
    } catch {
        say("\(error)")
        abort()
    }
    return processorSeconds() - start
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
