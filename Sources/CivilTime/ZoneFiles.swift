internal import Platform

/// The zone files that were read last. A zone that many calls name is read once, and again when its file has changed.
enum ZoneFiles {
    private struct Entry {
        let stamp: FileStamp
        let zone: TimeZoneRules
    }

    private static let entriesLimit = 16
    private static let entries = Locked<[String: Entry]>([:])

    /// Returns the zone in the file at `path`, or `nil` if there is no such file or it is not a zone file.
    static func zone(at path: String, name: String) -> TimeZoneRules? {
        guard let stamp = (try? FileStatus(of: path))?.stamp else { return nil }
        if let entry = entries.withLock({ $0[path] }), entry.stamp == stamp { return entry.zone }
        guard let zone = TimeZoneRules(contentsOf: path, name: name) else { return nil }
        entries.withLock { entries in
            if entries.count >= entriesLimit { entries.removeAll() }
            entries[path] = Entry(stamp: stamp, zone: zone)
        }
        return zone
    }
}
