import CLinux
import Foundation
import Settings
import Testing
import Vocabulary

@testable import scanstation

/// A shortage is reported at the start and never traps.
@Suite("Few resources", .timeLimit(.minutes(10)))
struct ProcessLimitsTests {
    private func run(_ limits: String, _ arguments: String) async throws -> Executable.Result {
        let script = "\(limits) && exec \"\(Executable.path)\" \(arguments)"
        return try await RunningExecutable(path: "/bin/sh", arguments: ["-c", script]).end()
    }

    @Test("A station with too few descriptors says so, and ends with 69")
    func fewDescriptors() async throws {
        try await refuses((8...64).filter { $0 % 4 == 0 || $0 < 34 }.map { "ulimit -n \($0)" })
    }

    @Test(
        "A station with too little address space says so, and ends with 69",
        .enabled(if: CLinux_sanitizer() == CLINUX_NO_SANITIZER, "a sanitizer's shadow memory needs terabytes of it"))
    func littleAddressSpace() async throws {
        try await refuses([200, 400, 800].map { "ulimit -v \($0 * 1024)" })
    }

    private func refuses(_ limits: [String]) async throws {
        for limit in limits {
            let result = try await run(limit, "run --simulate --plain --socket /tmp/never.sock")
            #expect(result.status == 69, "\(limit): \(result.status)")
            let words = limit.split(separator: " ").prefix(2).joined(separator: " ")
            #expect(result.errors.contains(words), "\(limit): \(result.errors)")
            #expect(result.output.isEmpty)
        }
    }

    @Test("Exactly enough descriptors are enough, and the soft limit is raised to what is permitted")
    func enough() async throws {
        let needed = ProcessLimits.descriptors(for: StationSettings())
        for limit in ["ulimit -n \(needed)", "ulimit -Sn 20"] {
            let socket = NSTemporaryDirectory() + "pl-\(UUID().uuidString.prefix(8)).sock"
            let script = "\(limit) && exec \"\(Executable.path)\" run --simulate --plain --socket \(socket)"
            let station = try RunningExecutable(path: "/bin/sh", arguments: ["-c", script])
            defer { station.send(SIGKILL) }
            _ = try await station.line(with: #""type":"scan""#)
            station.send(SIGTERM)
            #expect(await station.end().status == 0, "\(limit)")
        }
    }

    @Test("Clients and outputs count")
    func needs() {
        var settings = StationSettings()
        let usual = ProcessLimits.descriptors(for: settings)
        var tcp = TCPSettings(port: 1)
        tcp.role = .server
        tcp.maxClients = 100
        settings.outputs.append(OutputSettings(name: "tcp", kind: .tcp(tcp)))
        settings.control.maxClients += 10
        let more = ProcessLimits.descriptors(for: settings)
        #expect(more == usual + 110 + ProcessLimits.outputDescriptors)
        let limits = ProcessLimits(descriptors: more, addressSpace: .max)
        #expect(limits.problem(for: settings) == nil)
        #expect(ProcessLimits(descriptors: more - 1, addressSpace: .max).problem(for: settings) != nil)
        #expect(ProcessLimits(descriptors: more, addressSpace: 1 << 29).problem(for: settings) != nil)
    }
}
