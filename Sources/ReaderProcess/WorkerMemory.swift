import CLinux

/// What this process may take for one picture: a memory bound that depends on the picture's size, so that no faulty library takes more. It
/// is below the process's own limit, which covers everything it does.
package final class WorkerMemory {
    /// Negative if there is no /proc: then only the process's own limit applies.
    private let gauge = CLinux_memory_gauge()

    /// From now on, in addition to what is held now.
    package func bound(_ bytes: UInt64) { if gauge >= 0 { CLinux_bound_memory(gauge, bytes) } }

    package func lift() { bound(.max) }
}
