import CLinux

/// What this process's allocator keeps for itself.
package enum Heap {
    /// Gives freed pieces of at least `bytes` back to the system, and lets threads share two heaps. A process that makes a large piece now and
    /// then (a picture for whoever looks, the memory of a password's hash) would keep it for ever otherwise, once a heap.
    ///
    /// Call it while there is one thread. A system that refuses costs memory, nothing else.
    package static func keepLittle(piecesFrom bytes: Int32) {
        _ = CLinux_keep_little(bytes, 2)
    }
}
