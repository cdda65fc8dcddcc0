internal import CLinux
internal import Glibc

/// The memory that nobody uses and the allocator keeps for later.
///
/// Left alone, a daemon stays as large as its largest work was.
enum SpareMemory {
    /// So little is kept: to ask the system for it again would take longer than it is worth.
    private static let keptBytes = 8 << 20

    /// Has whatever is large go back to the system as soon as nobody needs it. The allocator would learn from each large
    /// piece to keep the next one.
    static func returnLargePieces() {
        mallopt(M_MMAP_THRESHOLD, 128 << 10)
    }

    /// Gives back what lies between small pieces that are in use, such as the pages of the database that a large change
    /// has touched. Looking whether there is any takes some microseconds.
    static func giveBack() {
        if mallinfo2().fordblks > keptBytes { malloc_trim(0) }
    }
}
