internal import Platform

/// A file that is open for reading. It stays open when its name is removed or given to another file.
final class OpenFile: Sendable {
    private static let chunkSize = 64 << 10

    private let file: FileDescriptor

    init?(_ path: String) {
        // A new access time makes the next sync of the file slower.
        if let file = try? FileDescriptor(opening: path, for: .reading, [.doesNotWait, .keepsAccessTime]) {
            self.file = file
        } else if let file = try? FileDescriptor(opening: path, for: .reading, .doesNotWait) {
            self.file = file
        } else {
            return nil
        }
    }

    var status: FileStatus? { try? file.status() }
    var stamp: FileStamp? { status?.stamp }
    /// The size, without the effect that reading the stamp has; see `UntimedFileStatus`.
    var size: Int64? { try? file.untimedStatus().size }

    /// Returns up to `count` bytes from the beginning of the file.
    func beginning(count: Int) -> [UInt8] {
        (try? file.bytes(count: count, at: 0)) ?? []
    }

    /// Reads the beginning of the file, and returns the number of bytes, or `nil` if they cannot be read.
    func read(into bytes: UnsafeMutableRawBufferPointer) -> Int? { try? file.read(into: bytes, at: 0) }

    /// Returns `count` bytes at `offset`, or fewer at the end of the file.
    func bytes(count: Int, at offset: Int) throws(SystemError) -> [UInt8] {
        try file.bytes(count: count, at: offset)
    }

    /// Returns a digest of the size and the first bytes of the file. A change of a single word always changes it.
    func digest(bytesLimit: Int) -> UInt64 {
        var digest = UInt64(bitPattern: size ?? -1)
        let add = { (word: UInt64) in digest = (digest ^ word) &* 0x9E37_79B9_7F4A_7C15 }
        withUnsafeTemporaryAllocation(byteCount: Self.chunkSize, alignment: 16) { chunk in
            var offset = 0
            while offset < bytesLimit, let count = try? file.read(into: chunk, at: offset), count > 0 {
                let words = count / 8
                for word in 0..<words { add(chunk.load(fromByteOffset: word * 8, as: UInt64.self)) }
                // Only the end of a file has fewer bytes than a word.
                if words == 0 { chunk[..<count].forEach { add(UInt64($0)) } }
                offset += words == 0 ? count : words * 8
            }
        }
        return digest
    }
}
