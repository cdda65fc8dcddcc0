internal import Platform

/// Reads a file in chunks, from its beginning.
package final class FileReader {
    private static let chunkSize = 256 << 10

    package let path: String
    private let file: FileDescriptor

    package init(_ path: String) throws(StoreError) {
        self.path = path
        file = try StoreFiles.openForReading(path)
    }

    /// Returns the next bytes, or an empty array at the end of the file.
    package func next() throws(StoreError) -> [UInt8] {
        do throws(SystemError) {
            return try file.bytes(count: Self.chunkSize)
        } catch {
            throw StoreError(error, "the file cannot be read", path: path)
        }
    }

    /// Returns the size of the file in bytes.
    func size() throws(StoreError) -> Int {
        do throws(SystemError) {
            return Int(try file.status().size)
        } catch {
            throw StoreError(error, "the file cannot be read", path: path)
        }
    }

    /// Continues reading at a byte of the file.
    package func move(to offset: Int) {
        file.move(to: offset)
    }
}
