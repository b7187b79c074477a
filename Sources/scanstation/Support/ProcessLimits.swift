import Glibc
import Settings

/// What this process may have (setrlimit(2)), compared with what it needs. The run-time libraries end a process that gets no descriptor or
/// no memory at the wrong moment, so a limit that is too low is reported before anything starts.
struct ProcessLimits: Hashable {
    /// Files open at once.
    var descriptors: UInt64
    /// Bytes of address space, used or not.
    var addressSpace: UInt64

    /// Any command: libraries, terminal, a connection.
    static let fewestDescriptors: UInt64 = 32
    /// A station without clients: readers, lines, camera, journal, and what the run-time library opens for its timers.
    static let stationDescriptors: UInt64 = 56
    /// Files, links, and connections that begin while others end.
    static let outputDescriptors: UInt64 = 6
    /// Thirteen threads with their stacks and heaps reserve most of it; only a fifteenth is used.
    static let stationAddressSpace: UInt64 = 1 << 30

    /// The limits in force, after raising the number of descriptors as far as permitted if `wanted` is above the limit.
    static func current(wanting wanted: UInt64) -> ProcessLimits {
        var files = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files)
        if UInt64(files.rlim_cur) < wanted, files.rlim_cur < files.rlim_max {
            files.rlim_cur = min(files.rlim_max, rlim_t(wanted))
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files)
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files)
        }
        var memory = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &memory)
        return ProcessLimits(descriptors: UInt64(files.rlim_cur), addressSpace: UInt64(memory.rlim_cur))
    }

    /// With every client that the settings permit.
    static func descriptors(for settings: StationSettings) -> UInt64 {
        let clients = settings.outputs.reduce(settings.control.maxClients) { $0 + $1.kind.settings.clientLimit }
        return stationDescriptors + outputDescriptors * UInt64(settings.outputs.count) + UInt64(max(0, clients))
    }

    /// Why a station can't run within these limits, and what to do; `nil`: it can.
    func problem(for settings: StationSettings) -> String? {
        problem(needing: Self.descriptors(for: settings), for: "the station with these outputs and clients")
            ?? (addressSpace < Self.stationAddressSpace
                ? """
                this process may reserve \(addressSpace >> 20) MiB of address space (ulimit -v), the station needs \
                \(Self.stationAddressSpace >> 20) MiB, but uses only a small part of it: remove the limit; to limit the \
                memory in use, set MemoryMax= in the service's unit
                """ : nil)
    }

    /// The same check for any command.
    var problem: String? { problem(needing: Self.fewestDescriptors, for: "scanstation") }

    private func problem(needing needed: UInt64, for what: String) -> String? {
        guard descriptors < needed else { return nil }
        return """
            this process may have \(descriptors) files open at once, \(what) needs \(needed): raise the limit (ulimit -n \
            \(needed) in a shell, LimitNOFILE=\(needed) in the service's unit)
            """
    }
}
