internal import Glibc

/// The machine's clock on the wall.
package enum WallClock {
    /// Whether this process may set it: as root, but not in most containers.
    package static let canBeSet = (try? set()) != nil

    package struct NotAllowed: Error {}

    /// Sets it to the time that it shows. The time stays what it is, and every timer that wants to know is told.
    package static func set() throws(NotAllowed) {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        guard clock_settime(CLOCK_REALTIME, &now) == 0 else { throw NotAllowed() }
    }
}
