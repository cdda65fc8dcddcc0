internal import Glibc
internal import ObjectStore
internal import Varlink

/// A private directory beside the store for files that are being imported. It is removed with this object.
///
/// A directory that a killed process has left is removed when the next one is created.
final class WorkDirectory: Sendable {
    private static let mark = ".exchange-"

    private let path: String

    /// Creates a directory beside the store or, for a store without a file, in the current directory.
    init(beside store: StoreConfiguration) throws(SystemError) {
        let store = store.path ?? "./store"
        let (directory, name) = Directory.split(store)
        let own = "\(name)\(Self.mark)\(getpid())-"
        for old in Directory.names(in: directory)
        where old.hasPrefix(name + Self.mark) && !old.hasPrefix(own) {
            Self.remove("\(directory)/\(old)")
        }
        var template = Array("\(directory)/\(own)XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else {
            throw SystemError("make a directory beside \(store)")
        }
        path = String(cString: made)
    }

    deinit {
        Self.remove(path)
    }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Removes a directory that contains only files.
    private static func remove(_ directory: String) {
        for name in Directory.names(in: directory) where name != "." && name != ".." {
            unlink("\(directory)/\(name)")
        }
        rmdir(directory)
    }
}
