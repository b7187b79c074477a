import Linux

/// Is the system clock synchronised? Scans carry the answer, for receivers that sort by time.
struct ClockCheck: DoctorCheck {
    func findings(in context: DoctorContext) async -> [DoctorFinding] {
        MachineClock.system.isSynced
            ? [DoctorFinding(.ok, "clock", "synchronised")]
            : [
                DoctorFinding(
                    .warn, "clock", "not synchronised: scans are marked `\"clock\":\"unsynced\"`",
                    remedy: "timedatectl set-ntp true, and check the network; scans are ordered by `seq` either way")
            ]
    }
}
