internal import CLinux
internal import Glibc

/// The temporary name of a copy while it is written, such as `copy.sqlite.0d1x8k2n4q7rz.partial`.
///
/// The random part makes the name unique, so the copy never replaces a file of the user. The file is locked while it is
/// written. A file without a lock is a leftover of an interrupted copy.
enum PartialFile {
    private static let ending = ".partial"
    private static let journal = "-journal"
    private static let tokenLength = 13

    /// Removes the leftovers of interrupted copies with the same final name, and returns an unused temporary name.
    static func newPath(of copy: String) -> String {
        removeLeftovers(of: copy)
        let number = String(UInt64.random(in: 0 ... .max), radix: 36)
        let token = String(repeating: "0", count: tokenLength - number.count) + number
        return "\(copy).\(token)\(ending)"
    }

    /// Returns the final name of the copy that a temporary file belongs to, or `nil` if `name` is not a temporary name.
    static func copyName(of name: String) -> String? {
        let file = name.hasSuffix(journal) ? name.dropLast(journal.count) : name[...]
        guard file.hasSuffix(ending) else { return nil }
        let parts = file.dropLast(ending.count).split(separator: ".", omittingEmptySubsequences: false)
        guard let token = parts.last, parts.count > 1, token.utf8.count == tokenLength,
            token.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) })
        else { return nil }
        return parts.dropLast().joined(separator: ".")
    }

    /// Removes the leftovers of interrupted copies with this final name. A copy in progress keeps its file.
    static func removeLeftovers(of copy: String) {
        let (directory, name) = FileSystem.split(copy)
        removeLeftovers(in: directory) { $0 == name }
    }

    /// Removes the leftovers of interrupted copies in a directory. A copy in progress keeps its file.
    ///
    /// - Parameter isCopy: returns whether to remove the leftovers of the copy with this final name.
    static func removeLeftovers(in directory: String, where isCopy: (String) -> Bool) {
        for file in FileSystem.names(in: directory) where copyName(of: file).map(isCopy) ?? false {
            if case .refused = LockedFile.lock("\(directory)/\(file)") { continue }
            // A leftover that cannot be removed is harmless.
            unlink("\(directory)/\(file)")
        }
    }
}
