internal import Platform

/// A file that is open for reading. It stays open when its name is removed or given to another file.
final class OpenFile: Sendable {
    private static let chunkSize = 64 << 10

    private let file: FileDescriptor

    init?(_ path: String) {
        guard let file = try? FileDescriptor(opening: path, for: .reading, .doesNotWait) else { return nil }
        self.file = file
    }

    var stamp: FileStamp? { try? file.status().stamp }

    /// Returns up to `count` bytes from the beginning of the file.
    func beginning(count: Int) -> [UInt8] {
        (try? file.bytes(count: count, at: 0)) ?? []
    }

    /// Returns a digest of the size and the first bytes of the file. The digest is comparable only within this process.
    func digest(bytesLimit: Int) -> Int {
        var hasher = Hasher()
        hasher.combine(stamp?.size)
        withUnsafeTemporaryAllocation(byteCount: Self.chunkSize, alignment: 16) { chunk in
            var offset = 0
            while offset < bytesLimit {
                guard let count = try? file.read(into: chunk, at: offset), count > 0 else { return }
                hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: chunk[..<count]))
                offset += count
            }
        }
        return hasher.finalize()
    }
}
