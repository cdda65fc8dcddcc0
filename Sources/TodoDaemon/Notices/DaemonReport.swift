internal import CivilTime
internal import Platform
internal import Systemd
internal import TodoAPI
internal import TodoService
internal import VarlinkServer

/// The daemon as the methods of the service report it.
final class DaemonReport: ServiceHost {
    private let monitor: ConfigurationMonitor
    private let startedAt: Timestamp
    /// The start on a clock that cannot be set.
    private let start = ContinuousClock.now
    /// The server, while it runs.
    weak var server: Server?

    init(of monitor: ConfigurationMonitor, startedAt: Timestamp) {
        self.monitor = monitor
        self.startedAt = startedAt
    }

    var status: Status.Reply {
        var status = Status.Reply()
        status.processID = Int64(Environment.processID)
        status.startedAt = startedAt
        status.uptimeSeconds = start.duration(to: .now).components.seconds
        status.journal = Journal.isPresent
        status.connections = Int64(server?.connectionCount ?? 0)
        let found = monitor.check()
        if !found.problems.isEmpty { status.wrongLines = found.problems.map(WrongLine.init) }
        status.warnings = monitor.newStoreWarning.map { [$0] }
        status.isConfigurationChanged = !found.isEquivalent(to: monitor.current)
        return status
    }

    var configuration: GetConfig.Reply {
        var reply = GetConfig.Reply()
        reply.settings = monitor.states
        reply.wrongLines = monitor.current.problems.map(WrongLine.init)
        reply.isChanged = !monitor.check().isEquivalent(to: monitor.current)
        let waiting = monitor.settingsAwaitingRestart(in: monitor.current)
        reply.settingsAwaitingRestart = waiting.isEmpty ? nil : waiting
        let held = monitor.settingsAwaitingCorrection(in: monitor.current)
        reply.settingsAwaitingCorrection = held.isEmpty ? nil : held
        return reply
    }

    func checkConfiguration() -> CheckConfig.Reply {
        let found = monitor.check()
        var reply = CheckConfig.Reply()
        reply.wrongLines = (found.problems + monitor.findSyncProblems()).map(WrongLine.init)
        reply.warnings = monitor.findNewStoreWarning(found).map { ["\($0)"] }
        reply.changes = monitor.changes(in: found) + monitor.settingsAwaitingRestart(in: found)
        return reply
    }

    func takeWarnings() -> [String] { monitor.takeWarnings() }
}
