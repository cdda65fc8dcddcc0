internal import CivilTime
internal import Platform
internal import Reminders
internal import Systemd

/// The waiting runs of a command, and the current ones. Confined to one queue.
final class CommandQueue {
    /// The limit of runs at once, so that a thousand alerts do not start a thousand processes.
    static let runsAtOnceLimit = 4

    /// The runners, the best one first. A run that one cannot start goes to the next one.
    private let runners: [any CommandRunner]
    private let zone: LocalZone
    private let log: Log
    private let conditionDidChange: (SinkState.Condition) -> Void
    private var command: AlertCommand?
    private var timeout = DeliverySettings().commandTimeout

    private var waiting: ArraySlice<Job> = []
    private var runningCount = 0
    private var isStarting = false
    private var isFailing = false

    private struct Job {
        let command: AlertCommand
        let alert: Alert
        let moment: Timestamp
        let batch: BatchRuns
    }

    /// The runs for the alerts of one batch. `done` is called after the last run, with the alerts that were sent.
    private final class BatchRuns {
        private var left: Int
        private var delivered: [Alert] = []
        private let done: ([Alert]) -> Void

        init(count: Int, done: @escaping ([Alert]) -> Void) {
            left = count
            self.done = done
        }

        func ended(_ alert: Alert, isSent: Bool) {
            if isSent { delivered.append(alert) }
            left -= 1
            if left == 0 { done(delivered) }
        }
    }

    /// Creates a queue without a command.
    ///
    /// - Parameter conditionDidChange: called each time the condition of the command becomes known.
    init(
        runners: [any CommandRunner], zone: LocalZone, log: Log,
        conditionDidChange: @escaping (SinkState.Condition) -> Void
    ) {
        self.runners = runners
        self.zone = zone
        self.log = log
        self.conditionDidChange = conditionDidChange
    }

    /// Sets the command to run from now on, or `nil` for none. Reports at once if it cannot be executed.
    func apply(_ command: AlertCommand?, timeout: TimeSpan) {
        self.timeout = timeout
        guard self.command != command else { return }
        self.command = command
        isFailing = false
        conditionDidChange(command == nil ? .off : .unknown)
        guard let command else { return }
        do throws(SystemError) {
            try FileSystem.require(.execute, for: command.path)
        } catch {
            report("\(command.path) of Command= cannot be executed: \(error.reason)", about: command)
        }
    }

    func run(_ batch: AlertBatch, delivered: @escaping ([Alert]) -> Void) {
        guard let command, !batch.alerts.isEmpty else { return delivered([]) }
        let runs = BatchRuns(count: batch.alerts.count, done: delivered)
        waiting += batch.alerts.map {
            Job(command: command, alert: $0, moment: batch.moment, batch: runs)
        }
        startNext()
    }

    private func startNext() {
        // A run that fails at once ends inside this loop, which then continues.
        guard !isStarting else { return }
        isStarting = true
        while runningCount < Self.runsAtOnceLimit, let job = waiting.popFirst() {
            runningCount += 1
            start(job)
        }
        isStarting = false
        guard runningCount == 0 else { return }
        // A slice keeps the array that it was cut from, even if it is empty.
        waiting = []
        for runner in runners { runner.releaseResources() }
    }

    private func start(_ job: Job) {
        guard
            let run = CommandRun(
                job.command, job.alert, at: job.moment, zone: zone.current, timeout: timeout)
        else { return ended(job, .failed("there is no memory for its input")) }
        start(run, for: job, by: runners[...])
    }

    private func start(_ run: CommandRun, for job: Job, by runners: ArraySlice<any CommandRunner>) {
        guard let runner = runners.first else { return ended(job, .failed("it cannot be started")) }
        runner.start(run) { [self] outcome in
            if outcome == .notStarted {
                start(run, for: job, by: runners.dropFirst())
            } else {
                ended(job, outcome)
            }
        }
    }

    private func ended(_ job: Job, _ outcome: CommandOutcome) {
        runningCount -= 1
        if case .failed(let reason) = outcome {
            report(
                "\(job.command.path) did not deliver an alert: \(reason); the alert is in the journal",
                about: job.command)
        } else if job.command == command {
            isFailing = false
            conditionDidChange(.ready)
        }
        job.batch.ended(job.alert, isSent: outcome == .succeeded)
        startNext()
    }

    /// Logs a failure. The last runs of a command that is not in the configuration any more do not change the condition.
    private func report(_ message: String, about command: AlertCommand) {
        if command == self.command { conditionDidChange(.failing) }
        guard !isFailing else { return }
        isFailing = true
        log.write(.warning, message, id: .alertSinkFailed, fields: [(name: "TODO_SINK", value: "command")])
    }
}
