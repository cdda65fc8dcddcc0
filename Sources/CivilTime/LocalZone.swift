internal import Glibc
internal import Synchronization

/// The time zone of this machine, which a person may change while a program runs.
package final class LocalZone: Sendable {
    /// The inode and the time of change of the zone file, and of the link to it.
    private struct Stamp: Equatable {
        var values: [Int] = []

        mutating func add(_ status: stat) {
            values += [Int(status.st_ino), status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
        }
    }

    private struct State {
        var zone: TimeZoneRules
        var stamp: Stamp
    }

    /// The zone file, or `nil` for a zone that never changes.
    private let path: String?
    private let state: Mutex<State>

    /// A zone that never changes.
    package init(_ zone: TimeZoneRules) {
        path = nil
        state = Mutex(State(zone: zone, stamp: Stamp()))
    }

    /// The zone that the file at `path` describes.
    package init(following path: String) {
        self.path = path
        state = Mutex(State(zone: .local(at: path), stamp: Self.stamp(of: path)))
    }

    /// The zone of this process: that of `TZ`, which cannot change, or the system's.
    ///
    /// - Parameter unknown: is called with the value of `TZ` if that is no zone; UTC is used then.
    package convenience init(unknown: (String) -> Void = { _ in }) {
        if getenv("TZ") != nil {
            self.init(.current(unknown: unknown))
        } else {
            self.init(following: TimeZoneRules.localPath)
        }
    }

    package var current: TimeZoneRules { state.withLock { $0.zone } }

    /// Reads the zone again if its file has changed. If it has not, this takes two system calls.
    package func refresh() {
        guard let path else { return }
        let stamp = Self.stamp(of: path)
        state.withLock { state in
            guard state.stamp != stamp else { return }
            state = State(zone: .local(at: path), stamp: stamp)
        }
    }

    /// The stamp of the link and of the file that it leads to.
    private static func stamp(of path: String) -> Stamp {
        var stamp = Stamp()
        var status = stat()
        if lstat(path, &status) == 0 { stamp.add(status) }
        if stat(path, &status) == 0 { stamp.add(status) }
        return stamp
    }
}
