internal import CivilTime
internal import Dispatch
internal import Platform
internal import Reminders
internal import Systemd

/// Runs a program for each alert, with the alert as JSON on standard input and in environment variables.
///
/// The program runs as a service of the user's systemd if there is one, otherwise as a child process. Only a few run
/// at once, and each has a time limit. A failure is reported once, until a run succeeds again.
final class CommandSink: AlertSink {
    private final class SharedCondition: Sendable {
        let condition = Locked(SinkState.Condition.off)
    }

    private let commands: QueueConfined<CommandQueue>
    private let shared = SharedCondition()

    /// Creates a sink that runs no command until its settings are applied.
    ///
    /// - Parameter busAddress: the address of the session bus, or `nil` to use the environment.
    init(zone: LocalZone, log: Log, busAddress: String? = nil) {
        let queue = DispatchQueue(label: "todod.alerts.command")
        let runners: [any CommandRunner] = [
            TransientUnitRunner(queue: queue, busAddress: busAddress), ProcessRunner(queue: queue),
        ]
        let commands = CommandQueue(runners: runners, zone: zone, log: log) { [shared] condition in
            shared.condition.withLock { $0 = condition }
        }
        self.commands = QueueConfined(commands, to: queue)
    }

    func send(_ batch: AlertBatch, delivered: @escaping @Sendable ([Alert]) -> Void) {
        commands.async { $0.run(batch, delivered: delivered) }
    }

    func apply(_ settings: DeliverySettings) {
        commands.async { $0.apply(settings.command, timeout: settings.commandTimeout) }
    }

    var condition: SinkState.Condition { shared.condition.withLock { $0 } }
}
