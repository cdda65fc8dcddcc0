internal import CivilTime
internal import Glibc
internal import Reminders
internal import Systemd

/// The runs of a command that wait, and those under way. Belongs to one queue.
final class CommandQueue {
    /// A thousand alerts at once must not be a thousand processes at once.
    static let runsAtOnceLimit = 4

    /// The best one first; what it cannot start the next one tries.
    private let runners: [any CommandRunner]
    private let zone: LocalZone
    private let log: Log
    /// Called with how the command does, each time it is known anew.
    var conditionDidChange: (SinkState.Condition) -> Void = { _ in }
    private var command: AlertCommand?
    private var timeout = Configuration().commandTimeout

    private var waiting: ArraySlice<Job> = []
    private var underWay = 0
    private var isStarting = false
    private var isInTrouble = false

    private struct Job {
        let command: AlertCommand
        let alert: Alert
        let moment: Timestamp
        let batch: Batch
    }

    /// The alerts of one announcement: it is told when the last of them is.
    private final class Batch {
        private var left: Int
        private var told: [Alert] = []
        private let done: ([Alert]) -> Void

        init(count: Int, done: @escaping ([Alert]) -> Void) {
            left = count
            self.done = done
        }

        func ended(_ alert: Alert, isTold: Bool) {
            if isTold { told.append(alert) }
            left -= 1
            if left == 0 { done(told) }
        }
    }

    init(runners: [any CommandRunner], zone: LocalZone, log: Log) {
        self.runners = runners
        self.zone = zone
        self.log = log
    }

    /// Runs this command from now on, nil for none; one that is not there is told of at once.
    func use(_ command: AlertCommand?, timeout: TimeSpan) {
        self.timeout = timeout
        guard self.command != command else { return }
        self.command = command
        isInTrouble = false
        conditionDidChange(command == nil ? .off : .unknown)
        guard let command, access(command.path, X_OK) != 0 else { return }
        report("\(command.path) of Command= cannot be executed: \(String(cString: strerror(errno)))")
    }

    func run(_ announcement: Announcement, told: @escaping ([Alert]) -> Void) {
        guard let command, !announcement.alerts.isEmpty else { return told([]) }
        let batch = Batch(count: announcement.alerts.count, done: told)
        waiting += announcement.alerts.map {
            Job(command: command, alert: $0, moment: announcement.moment, batch: batch)
        }
        startNext()
    }

    private func startNext() {
        // A run that fails at once ends inside this loop, which goes on by itself.
        guard !isStarting else { return }
        isStarting = true
        while underWay < Self.runsAtOnceLimit, let job = waiting.popFirst() {
            underWay += 1
            start(job)
        }
        isStarting = false
        guard underWay == 0 else { return }
        // A slice holds on to what it was cut from, also when it is empty.
        waiting = []
        for runner in runners { runner.rest() }
    }

    private func start(_ job: Job) {
        guard
            let run = CommandRun(
                job.command, job.alert, at: job.moment, zone: zone.current, timeout: timeout)
        else { return ended(job, .failed("there is no memory for what it is to read")) }
        start(run, for: job, by: runners[...])
    }

    private func start(_ run: CommandRun, for job: Job, by runners: ArraySlice<any CommandRunner>) {
        guard let runner = runners.first else { return ended(job, .failed("nothing can start it")) }
        runner.start(run) { [self] outcome in
            if outcome == .notStarted {
                start(run, for: job, by: runners.dropFirst())
            } else {
                ended(job, outcome)
            }
        }
    }

    private func ended(_ job: Job, _ outcome: CommandOutcome) {
        underWay -= 1
        job.batch.ended(job.alert, isTold: outcome == .succeeded)
        if case .failed(let reason) = outcome {
            report("\(job.command.path) did not tell a reminder: \(reason); the journal has it")
        } else {
            isInTrouble = false
            conditionDidChange(.ready)
        }
        startNext()
    }

    private func report(_ message: String) {
        conditionDidChange(.failing)
        guard !isInTrouble else { return }
        isInTrouble = true
        log.write(.warning, message, id: .alertSinkFailed, fields: [(name: "TODO_SINK", value: "command")])
    }
}
