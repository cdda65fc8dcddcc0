internal import ObjectStore
internal import Platform
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
        let (directory, name) = FileSystem.split(store)
        let own = "\(name)\(Self.mark)\(Environment.processID)-"
        for old in FileSystem.namesIfReadable(in: directory)
        where old.hasPrefix(name + Self.mark) && !old.hasPrefix(own) {
            FileSystem.removeDirectory("\(directory)/\(old)")
        }
        path = try FileSystem.makeUniqueDirectory(prefix: "\(directory)/\(own)")
    }

    deinit {
        FileSystem.removeDirectory(path)
    }

    func file(_ name: String) -> String { "\(path)/\(name)" }
}
