import CLinux

/// What this process's allocator keeps for itself.
package enum Heap {
    /// Gives freed pieces of at least `bytes` back to the system, and lets threads share two heaps. A process that makes a large piece now and
    /// then (a picture for a viewer, the memory of a password's hash) would keep it forever otherwise, in each heap.
    ///
    /// Call it while there is one thread. A system that refuses costs memory, nothing else.
    package static func keepLittle(piecesFrom bytes: Int32) {
        _ = CLinux_keep_little(bytes, 2)
    }
}
