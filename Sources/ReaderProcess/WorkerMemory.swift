import CLinux

/// What this process may take for one picture: a bound on its memory that goes with the picture's size, so that no fault of a
/// library takes more. It lies below the process's own limit, which is for all it does.
package final class WorkerMemory {
    /// Negative where there is no /proc: the process's own limit is all there is then.
    private let gauge = CLinux_memory_gauge()

    /// From now on, beside what is held now.
    package func bound(_ bytes: UInt64) { if gauge >= 0 { CLinux_bound_memory(gauge, bytes) } }

    package func lift() { bound(.max) }
}
