internal import Systemd

/// The current configuration, and where its wrong lines are reported: in the journal, to the service manager, on the desktop
/// and with the next command.
///
/// Belongs to the queue of the daemon.
package final class ConfigurationMonitor {
    private let read: () -> LoadedConfiguration
    private let log: Log
    package private(set) var current: LoadedConfiguration

    /// Reads the files for the first time.
    package init(log: Log, read: @escaping () -> LoadedConfiguration) {
        self.log = log
        self.read = read
        current = read()
    }

    /// Reads the files again and makes the result the current configuration.
    func reload() {
        current = read()
        log.write(.notice, "The configuration was read again", id: .configurationReloaded)
    }

    /// Writes the wrong lines to the journal, and shows them on the desktop until a later report has none.
    func report(to sink: any AlertSink) {
        for problem in current.problems {
            log.write(
                .warning, "\(problem); \(problem.consequence)", id: .configurationRejected,
                fields: [(name: "TODO_PATH", value: problem.path)])
        }
        sink.show(DesktopNotice(ignored: current.problems))
    }

    /// For `systemctl status`: what is wrong, or `nil` if nothing is.
    var summary: String? {
        guard let first = current.problems.first else { return nil }
        let others = current.problems.count - 1
        return "\(first); \(first.consequence)" + (others > 0 ? "; \(others) more in the journal" : "")
    }
}

extension ConfigurationProblem {
    /// What a running daemon does about it.
    var consequence: String { line == nil ? "the file is ignored" : "the line is ignored" }
}
