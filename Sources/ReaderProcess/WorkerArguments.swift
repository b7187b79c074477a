/// What the command line says.
struct WorkerArguments {
    enum Mode {
        /// Serve the station on descriptor 3.
        case serve
        /// Print what the linked decoders read, as JSON lines.
        case capabilities
        case help
    }

    var mode = Mode.help
    /// Bytes of address space, which libraries, frames and pictures share.
    var memoryLimitMegabytes: UInt64 = 1024
    var fault = WorkerFault.none

    static func usage(_ program: String) -> String {
        """
        \(program) decodes pictures for the station, which starts it; it isn't meant to be run by hand.

          --capabilities       print the linked decoders, their versions and what they read
          --serve              serve the station on descriptor 3 (a SOCK_SEQPACKET socket)
          --memory-limit MB    address space while serving; default 1024, 64…65536
          --fault WHAT         test aid while serving: misbehave on the Nth frame or picture since the start; WHAT is
                               crash-on-frame=N, hang-on-frame=N, garbage-on-frame=N, open-on-frame=N, swell-on-frame=N,
                               crash-on-pass=N, hang-on-pass=N, crash-at-start or hang-at-start

        """
    }

    /// `nil` for what `usage` doesn't list.
    init?(_ arguments: [String]) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--serve": mode = .serve
            case "--capabilities": mode = .capabilities
            case "--help", "-h": mode = .help
            case "--memory-limit":
                guard let value = rest.popFirst().flatMap(UInt64.init), (64...65536).contains(value) else { return nil }
                memoryLimitMegabytes = value
            case "--fault":
                guard let value = rest.popFirst().flatMap(WorkerFault.init(argument:)) else { return nil }
                fault = value
            default: return nil
            }
        }
    }
}
