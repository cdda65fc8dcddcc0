internal import Glibc

/// Reads a file in chunks, from its beginning.
final class FileReader {
    private static let chunkSize = 256 << 10

    let path: String
    private let descriptor: Int32

    init(_ path: String) throws(StoreError) {
        self.path = path
        descriptor = try FileSystem.openForReading(path)
    }

    deinit {
        _ = close(descriptor)
    }

    /// Returns the next bytes, or an empty array at the end of the file.
    func next() throws(StoreError) -> [UInt8] {
        var count = 0
        let chunk = [UInt8](unsafeUninitializedCapacity: Self.chunkSize) { bytes, filled in
            repeat {
                count = read(descriptor, bytes.baseAddress, bytes.count)
            } while count < 0 && errno == EINTR
            filled = max(count, 0)
        }
        guard count >= 0 else { throw FileSystem.error(errno, "the file cannot be read", path: path) }
        return chunk
    }

    /// Returns the size of the file in bytes.
    func size() throws(StoreError) -> Int {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw FileSystem.error(errno, "the file cannot be read", path: path)
        }
        return Int(status.st_size)
    }

    /// Continues reading at a byte of the file.
    func move(to offset: Int) {
        lseek(descriptor, off_t(offset), SEEK_SET)
    }
}
