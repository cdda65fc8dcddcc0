internal import CLinux
internal import Glibc

/// Free memory that the allocator keeps for later.
///
/// If it were kept, a daemon would stay as large as its largest task has made it.
package enum FreedMemory {
    /// Makes the allocator return large blocks to the system as soon as they are freed.
    ///
    /// By default, the allocator learns from each large block to keep the next one.
    package static func returnLargeBlocks() {
        mallopt(M_MMAP_THRESHOLD, 128 << 10)
    }

    /// Returns free memory between small blocks to the system, such as the database pages that a large change has
    /// used.
    ///
    /// A call that finds none takes some microseconds.
    ///
    /// - Parameter keptBytes: the limit of free memory that is kept. Requesting little again takes longer than it is
    ///   worth.
    package static func release(keptBytes: Int = 8 << 20) {
        if mallinfo2().fordblks > keptBytes { malloc_trim(0) }
    }
}
