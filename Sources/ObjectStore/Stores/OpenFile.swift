internal import Glibc

/// A file that is open for reading, whatever becomes of its name.
final class OpenFile: Sendable {
    private static let chunkSize = 64 << 10

    private let descriptor: Int32

    init?(_ path: String) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    var stamp: FileStamp? { try? FileStamp(descriptor, path: "") }

    /// The first bytes, as many as there are up to `count`.
    func beginning(count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { bytes, read in
            read = max(pread(descriptor, bytes.baseAddress, count, 0), 0)
        }
    }

    /// A digest of the size and of the first bytes, which is the same in this process only.
    func digest(bytesLimit: Int) -> Int {
        var hasher = Hasher()
        hasher.combine(stamp?.size)
        withUnsafeTemporaryAllocation(byteCount: Self.chunkSize, alignment: 16) { chunk in
            var offset = 0
            while offset < bytesLimit {
                let count = pread(descriptor, chunk.baseAddress, chunk.count, off_t(offset))
                guard count > 0 else { return }
                hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: chunk[..<count]))
                offset += count
            }
        }
        return hasher.finalize()
    }
}
