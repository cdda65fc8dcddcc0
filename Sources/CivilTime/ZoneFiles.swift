internal import Glibc
internal import Synchronization

/// The zone files that were read last. A zone that many calls name is read once, and again when its file has changed.
enum ZoneFiles {
    private struct Entry {
        let stamp: FileStamp
        let zone: TimeZoneRules
    }

    private static let entriesLimit = 16
    private static let entries = Mutex<[String: Entry]>([:])

    /// Returns the zone in the file at `path`, or `nil` if there is no such file or it is not a zone file.
    static func zone(at path: String, name: String) -> TimeZoneRules? {
        guard let stamp = FileStamp(of: path) else { return nil }
        if let entry = entries.withLock({ $0[path] }), entry.stamp == stamp { return entry.zone }
        guard let zone = TimeZoneRules(contentsOf: path, name: name) else { return nil }
        entries.withLock { entries in
            if entries.count >= entriesLimit { entries.removeAll() }
            entries[path] = Entry(stamp: stamp, zone: zone)
        }
        return zone
    }
}

/// The inode and the modification time of a file. They differ if the file was changed or replaced.
struct FileStamp: Equatable {
    private let inode: ino_t
    private let seconds: Int
    private let nanoseconds: Int

    /// The stamp of the file at `path` or, if `followsLinks` is false, of the link; `nil` if there is none.
    init?(of path: String, followsLinks: Bool = true) {
        var status = stat()
        guard (followsLinks ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
        inode = status.st_ino
        seconds = status.st_mtim.tv_sec
        nanoseconds = status.st_mtim.tv_nsec
    }
}
