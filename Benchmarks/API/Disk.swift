import Glibc

/// A file that already has its full size, as the log of a database has after a while, and is overwritten a
/// block at a time.
///
/// `@unchecked Sendable`: one queue uses it.
final class Disk: @unchecked Sendable {
    private static let blockBytes = 4_096
    private static let blockCount = 200

    private let descriptor: Int32
    private let block = [UInt8](repeating: 1, count: blockBytes)
    private var position = 0

    init(_ path: String) {
        descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC, 0o600)
        for _ in 0..<Self.blockCount { writeBlock() }
        fsync(descriptor)
    }

    deinit { close(descriptor) }

    /// Writes a block to the disk.
    func synchronize() {
        writeBlock()
        fdatasync(descriptor)
    }

    private func writeBlock() {
        let offset = off_t(position % Self.blockCount * Self.blockBytes)
        _ = block.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, offset) }
        position += 1
    }
}
