internal import Glibc
internal import Synchronization

/// The time zone of this machine, which a person may change while a program runs.
package final class LocalZone: Sendable {
    /// What tells one state of the zone file from another.
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

    /// Nil for a zone that never changes.
    private let path: String?
    private let state: Mutex<State>

    /// That zone, always.
    package init(_ zone: TimeZoneRules) {
        path = nil
        state = Mutex(State(zone: zone, stamp: Stamp()))
    }

    /// The zone that the file at `path` describes.
    package init(following path: String) {
        self.path = path
        state = Mutex(State(zone: .local(at: path), stamp: Self.stamp(of: path)))
    }

    /// The zone this process lives in: that of `TZ`, which cannot change, or the system's.
    ///
    /// - Parameter unknown: is called with what `TZ` says when that is no zone, before UTC is taken for it.
    package convenience init(unknown: (String) -> Void = { _ in }) {
        if getenv("TZ") != nil {
            self.init(.current(unknown: unknown))
        } else {
            self.init(following: TimeZoneRules.localPath)
        }
    }

    package var current: TimeZoneRules { state.withLock { $0.zone } }

    /// Reads the zone again if its file has changed; two calls of the system when it has not.
    package func refresh() {
        guard let path else { return }
        let stamp = Self.stamp(of: path)
        state.withLock { state in
            guard state.stamp != stamp else { return }
            state = State(zone: .local(at: path), stamp: stamp)
        }
    }

    /// Of the link and of the file that it leads to.
    private static func stamp(of path: String) -> Stamp {
        var stamp = Stamp()
        var status = stat()
        if lstat(path, &status) == 0 { stamp.add(status) }
        if stat(path, &status) == 0 { stamp.add(status) }
        return stamp
    }
}
