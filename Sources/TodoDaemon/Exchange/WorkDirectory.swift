internal import Glibc
internal import ObjectStore
internal import Varlink

/// A directory of our own beside the store, for files on their way in; it goes with this object.
///
/// What a process that was killed left behind is removed when the next directory is made.
final class WorkDirectory: Sendable {
    private static let mark = ".exchange-"

    private let path: String

    /// A directory for a store without a file is made where we are.
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

    /// It holds files only.
    private static func remove(_ directory: String) {
        for name in Directory.names(in: directory) where name != "." && name != ".." {
            unlink("\(directory)/\(name)")
        }
        rmdir(directory)
    }
}
