internal import Platform

/// A file that the daemon wrote for the client.
///
/// The client copies it to a place where the daemon may not write.
struct FetchedFile {
    /// An error that names a file and the reason why it cannot be read or written.
    struct Failure: Error, CustomStringConvertible {
        let path: String
        let reason: String

        var description: String { "\(path): \(reason)" }
    }

    private static let chunkBytes = 1 << 20

    let source: String

    /// Copies the file to `path`, where no file may exist.
    ///
    /// The copy is complete and on disk before it gets this name.
    func copy(to path: String) throws(Failure) {
        let input: FileDescriptor
        do throws(SystemError) {
            input = try FileDescriptor(opening: source, for: .reading, .refusesLinks)
        } catch {
            throw Failure(path: source, reason: error.reason)
        }
        do throws(SystemError) {
            guard !FileSystem.exists(path) else { throw SystemError.existingFile(path) }
            let output = try PartialFile(of: path, isNew: true)
            while true {
                let chunk = try input.bytes(count: Self.chunkBytes)
                if chunk.isEmpty { break }
                try output.write(chunk[...])
            }
            // After a loss of power, the copy may have its temporary name only.
            _ = try output.finish()
        } catch {
            throw Failure(path: path, reason: error.reason)
        }
    }
}
