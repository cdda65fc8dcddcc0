internal import Platform

/// A copy beside the store that the client fetches.
///
/// It is removed when the client's connection ends. If the client leaves before the copy is complete, it is removed
/// after that.
final class OfferedBackup: Sendable {
    private static let ending = ".handover"

    let path: String

    init(of storePath: String, number: UInt64 = .random(in: 0 ... .max)) {
        path = "\(storePath).\(String(number, radix: 36))\(Self.ending)"
    }

    deinit { try? FileSystem.remove(path) }

    /// Removes the copies that a crash has left.
    static func removeLeftovers(of storePath: String) {
        let (directory, _) = FileSystem.split(storePath)
        for file in FileSystem.namesIfReadable(in: directory) where isReserved(file, by: storePath) {
            try? FileSystem.remove("\(directory)/\(file)")
        }
    }

    /// Whether a file of this name would be mistaken for such a copy, and removed.
    static func isReserved(_ path: String, by storePath: String) -> Bool {
        let name = FileSystem.split(path).name
        // The temporary name of an unfinished copy continues after the ending.
        return name.hasPrefix("\(FileSystem.split(storePath).name).")
            && (name.hasSuffix(ending) || name.contains("\(ending)."))
    }
}
