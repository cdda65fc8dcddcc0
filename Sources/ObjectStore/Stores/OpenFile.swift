internal import Glibc

/// A file that is open for reading. It stays open when its name is removed or given to another file.
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

    /// Returns up to `count` bytes from the beginning of the file.
    func beginning(count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { bytes, read in
            read = max(pread(descriptor, bytes.baseAddress, count, 0), 0)
        }
    }

    /// Returns a digest of the size and the first bytes of the file. The digest is comparable only within this process.
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
