/// A small file that is read and replaced as a whole.
package enum SmallFile {
    private static let bytesLimit = 1 << 20

    /// Returns the bytes of the file, or `nil` if there is none at the path. A file that is too large has no bytes.
    package static func read(_ path: String) throws(SystemError) -> [UInt8]? {
        do throws(SystemError) {
            let file = try FileDescriptor(opening: path, for: .reading, [.refusesLinks, .doesNotWait])
            return try file.remainingBytes(limit: bytesLimit) ?? []
        } catch  where error.isNotFoundOrBelowFile {
            return nil
        }
    }

    /// Replaces the file, and creates its directory if it is missing. After a crash, there is either the old or the
    /// new file.
    ///
    /// - Throws: an error. If only the directory could not be synced, the new file is in its place.
    package static func replace(_ path: String, with bytes: [UInt8]) throws(SystemError) {
        try FileSystem.makeDirectory(of: path)
        let file = try PartialFile(of: path, isNew: false)
        try file.write(bytes[...])
        if let error = try file.finish().durabilityError { throw error }
    }
}
