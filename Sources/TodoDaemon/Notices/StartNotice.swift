internal import Alerts
internal import CivilTime
internal import Dispatch
internal import Platform
internal import TodoAPI
internal import TodoService

/// The notification that the daemon cannot start.
///
/// The text that was shown last is kept in a file, because systemd starts the daemon several times in a row.
struct StartNotice {
    /// The longest time for which a desktop that does not answer delays the end of a failed start.
    private static let waitSeconds = 10.0

    /// The path of this file. It is beside the socket, where a restart of the machine removes it.
    let path: String

    init(besideSocket socketPath: String) {
        path = "\(FileSystem.split(socketPath).directory)/todod.notice"
    }

    /// Shows the notice unless it was the last one. It stays on the desktop after the program has ended.
    func show(_ notice: DesktopNotice, _ log: Log) {
        let text = Array("\(notice.summary)\n\(notice.body)\n".utf8)
        // If the last notice cannot be read, this one may be shown again, which is harmless.
        if (try? SmallFile.read(path)) == text { return }
        let sink = DesktopSink(zone: LocalZone(.utc), log: log) { _, _ in }
        let shown = DispatchSemaphore(value: 0)
        sink.show(notice) { shown.signal() }
        _ = shown.wait(timeout: .now() + Self.waitSeconds)
        // If the write fails, the next start shows the notice again, which is harmless.
        try? SmallFile.replace(path, with: text)
    }

    /// Forgets the last notice. The daemon runs, so the next failure must be shown.
    func forget() {
        try? FileSystem.remove(path)
    }
}
