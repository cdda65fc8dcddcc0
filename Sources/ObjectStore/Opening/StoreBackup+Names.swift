internal import Platform

extension StoreBackup {
    /// The suffixes that files of a store add to the name of the store, whatever its kind is.
    private static let reservedSuffixes = ["-wal", "-shm", "-journal", ".lock", ".new"]
    private static let reservedBeginnings = [".migrating", ".restoring"]

    /// Whether a file at `path` would be mistaken for a file that belongs to the store, such as its journal,
    /// or be removed.
    public static func isReserved(_ path: String, by store: StoreConfiguration) -> Bool {
        guard let place = store.path.map(FileSystem.target) else { return false }
        let (file, own) = (FileSystem.split(path), FileSystem.split(place))
        guard file.name.hasPrefix(own.name), isSame(file.directory, own.directory) else { return false }
        let rest = file.name.dropFirst(own.name.count)
        return reservedSuffixes.contains(String(rest)) || reservedBeginnings.contains { rest.hasPrefix($0) }
    }

    static func requireUnreserved(_ path: String, by store: StoreConfiguration) throws(StoreError) {
        guard isReserved(path, by: store) else { return }
        throw StoreError(.misuse, "the store itself uses this name; choose another name", path: path)
    }

    private static func isSame(_ directory: String, _ other: String) -> Bool {
        (try? FileSystem.resolved(directory) == FileSystem.resolved(other)) ?? (directory == other)
    }
}
