internal import CLinux
internal import Glibc

/// The name of a copy while it is made: `copy.sqlite.0d1x8k2n4q7rz.partial`.
///
/// No other file has this name, so the copy replaces no file of the user. The file is locked while it is written: one that
/// is not locked was left by a copy that was interrupted.
enum PartialFile {
    private static let ending = ".partial"
    private static let journal = "-journal"
    private static let tokenLength = 13

    /// A name that is not in use. What interrupted copies of the same name have left is removed.
    static func newPath(of copy: String) -> String {
        removeLeftovers(of: copy)
        let number = String(UInt64.random(in: 0 ... .max), radix: 36)
        let token = String(repeating: "0", count: tokenLength - number.count) + number
        return "\(copy).\(token)\(ending)"
    }

    /// The name of the copy to which a file of this name belongs, or `nil` if it belongs to none.
    static func copyName(of name: String) -> String? {
        let file = name.hasSuffix(journal) ? name.dropLast(journal.count) : name[...]
        guard file.hasSuffix(ending) else { return nil }
        let parts = file.dropLast(ending.count).split(separator: ".", omittingEmptySubsequences: false)
        guard let token = parts.last, parts.count > 1, token.utf8.count == tokenLength,
            token.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) })
        else { return nil }
        return parts.dropLast().joined(separator: ".")
    }

    /// Removes what interrupted copies have left. A file that is still written stays.
    static func removeLeftovers(of copy: String) {
        let (directory, name) = FileSystem.split(copy)
        removeLeftovers(in: directory) { $0 == name }
    }

    /// Removes what interrupted copies have left in a directory, if `isCopy` is true for the name of the copy.
    static func removeLeftovers(in directory: String, where isCopy: (String) -> Bool) {
        for file in FileSystem.names(in: directory) where copyName(of: file).map(isCopy) ?? false {
            if case .refused = HeldFile.lock("\(directory)/\(file)") { continue }
            // One that cannot be removed is in no program's way.
            unlink("\(directory)/\(file)")
        }
    }
}
