internal import Platform

/// The time zone of this machine, which the user may change while a program runs.
package final class LocalZone: Sendable {
    /// The stamps of the link and of the zone file that it leads to.
    private struct Stamps: Equatable {
        let link: FileStamp?
        let file: FileStamp?

        init(of path: String) {
            link = (try? FileStatus(of: path, followsLinks: false))?.stamp
            file = (try? FileStatus(of: path))?.stamp
        }
    }

    private struct State {
        var zone: TimeZoneRules
        var stamps: Stamps?
        var changes = 0
    }

    /// The zone file, or `nil` for a zone that never changes.
    private let path: String?
    private let state: Locked<State>

    /// Creates a zone that never changes.
    package init(_ zone: TimeZoneRules) {
        path = nil
        state = Locked(State(zone: zone, stamps: nil))
    }

    /// Reads the zone from the file at `path`, and follows changes of that file.
    package init(following path: String) {
        self.path = path
        state = Locked(State(zone: .local(at: path), stamps: Stamps(of: path)))
    }

    /// Uses the zone of this process: that of `TZ`, which cannot change, or that of the system.
    ///
    /// - Parameter unknown: a closure that is called with the value of `TZ` if it is not a time zone. UTC is used in
    ///   this case.
    package convenience init(unknown: (String) -> Void = { _ in }) {
        if Environment.variable("TZ") != nil {
            self.init(.current(unknown: unknown))
        } else {
            self.init(following: TimeZoneRules.localPath)
        }
    }

    package var current: TimeZoneRules { state.withLock { $0.zone } }

    /// The number of times that `refresh` has read another zone or other rules.
    package var changes: Int { state.withLock { $0.changes } }

    /// Reads the zone again if its file has changed.
    ///
    /// An unchanged file costs two system calls.
    package func refresh() {
        guard let path else { return }
        let stamps = Stamps(of: path)
        state.withLock { state in
            guard state.stamps != stamps else { return }
            state = State(zone: .local(at: path), stamps: stamps, changes: state.changes + 1)
        }
    }
}
