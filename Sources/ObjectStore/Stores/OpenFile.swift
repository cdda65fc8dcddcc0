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
    /// The size, without the effect that reading the stamp has; see `UntimedFileStatus`.
    var size: Int64? { try? file.untimedStatus().size }

    /// Returns up to `count` bytes from the beginning of the file.
    func beginning(count: Int) -> [UInt8] {
        (try? file.bytes(count: count, at: 0)) ?? []
    }

    /// Returns `count` bytes at `offset`, or fewer at the end of the file.
    func bytes(count: Int, at offset: Int) throws(SystemError) -> [UInt8] {
        try file.bytes(count: count, at: offset)
    }

    /// Returns a digest of the size and the first bytes of the file. The digest is comparable only within this process.
    func digest(bytesLimit: Int) -> Int {
        var hasher = Hasher()
        hasher.combine(size)
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
