import CLinux
import Foundation
import Testing

/// The wall clock is set while the station runs: by hand, by a GPS without fix, by a battery that is empty. `libfaketime` does it
/// to one process.
@Suite("Steps of the wall clock", .timeLimit(.minutes(10)))
struct ClockStepTests {
    private static let library: String? = {
        let folders = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib")) ?? []
        return folders.map { "/usr/lib/\($0)/faketime/libfaketimeMT.so.1" }
            .first(where: FileManager.default.fileExists(atPath:))
    }()

    @Test(
        "Beyond what nanoseconds can count, and back: no scan stops, and the time is never taken for right",
        .enabled(if: library != nil, "apt install faketime"),
        // libfaketime's first look-up of its symbols allocates, and was seen within AddressSanitizer's allocator: one thread that
        // waits for a lock of its own, forever.
        .enabled(
            if: CLinux_sanitizer() == CLINUX_NO_SANITIZER, "libfaketime locks up in a sanitizer's allocator"
        ))
    func steps() async throws {
        let folder = NSTemporaryDirectory() + "ck-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let clock = folder + "/clock"
        func set(_ offset: String) throws { try "\(offset)\n".write(toFile: clock, atomically: true, encoding: .utf8) }
        try set("+0")
        let station = try Executable.start(
            ["run", "--simulate", "--plain", "--socket", folder + "/s.sock"],
            environment: [
                "LD_PRELOAD": Self.library ?? "", "FAKETIME_TIMESTAMP_FILE": clock, "FAKETIME_NO_CACHE": "1",
                "FAKETIME_DONT_FAKE_MONOTONIC": "1", "NO_FAKE_STAT": "1",
            ])
        defer { station.send(SIGKILL) }
        _ = try await station.line(with: #""type":"scan""#)
        try set("+300y")
        let far = try await scan(after: folder, of: station)
        #expect(far.contains(#""time":"2262-04-11T"#) && far.contains(#""clock":"unsynced""#), "\(far)")
        try set("-1y")
        let back = try await scan(after: folder, of: station)
        let year = Calendar(identifier: .gregorian).component(.year, from: Date(timeIntervalSinceNow: -365 * 86_400))
        #expect(back.contains(#""time":"\#(year)-"#), "\(back)")
        station.send(SIGTERM)
        #expect(await station.end().status == 0)
    }

    /// A scan that was made after this call: the second from now, as the next may be under way.
    private func scan(after folder: String, of station: RunningExecutable) async throws -> String {
        let status = try await Executable.run([
            "ctl", "status", "--json", "--socket", folder + "/s.sock", "--timeout", "300",
        ])
        let text = try #require(status.output.firstMatch(of: /"lastScan":\{[^}]*"seq":([0-9]+)/)?.output.1)
        let last = try #require(Int(text))
        return try await station.line(with: #""seq":\#(last + 2),"time"#)
    }
}
