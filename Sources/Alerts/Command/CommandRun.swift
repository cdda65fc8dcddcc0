internal import CLinux
internal import CivilTime
internal import Glibc
internal import Reminders

/// One run of the command for one alert, with everything that is needed to start it.
final class CommandRun {
    let program: String
    let arguments: [String]
    let variables: [(name: String, value: String)]
    /// A file that contains the alert as JSON, at its beginning. It is closed with the run.
    let input: Int32
    let timeout: TimeSpan

    /// Creates a run, or returns `nil` if there is no memory for the input.
    init?(
        _ command: AlertCommand, _ alert: Alert, at moment: Timestamp, zone: TimeZoneRules, timeout: TimeSpan
    ) {
        program = command.path
        arguments = command.arguments
        variables = alert.variables(now: moment, zone: zone)
        self.timeout = timeout
        input = todod_memory_file()
        guard input >= 0 else { return nil }
        // A file in memory never blocks the daemon. A pipe would, if the command does not read.
        let json = alert.json(now: moment, zone: zone) + [UInt8(ascii: "\n")]
        let written = json.withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
        guard written == json.count, lseek(input, 0, SEEK_SET) == 0 else { return nil }
    }

    deinit {
        if input >= 0 { close(input) }
    }
}

/// The outcome of a run.
enum CommandOutcome: Hashable {
    case succeeded
    /// The reason, as it is used in a message: `it ended with exit status 3`.
    case failed(String)
    /// It was not started, but another runner may be able to start it.
    case notStarted

    /// The exit status that systemd reports for a program that cannot be executed.
    private static let cannotExecute: Int32 = 203

    static func exited(_ status: Int32) -> CommandOutcome {
        switch status {
        case 0: .succeeded
        case cannotExecute: .failed("it cannot be executed (203)")
        default: .failed("it ended with exit status \(status)")
        }
    }

    static func killed(by signal: Int32) -> CommandOutcome { .failed("it was killed by signal \(signal)") }

    static func tookLonger(than span: TimeSpan) -> CommandOutcome {
        .failed("it took longer than \(span) and was ended")
    }
}

/// A way to run a command. Confined to one queue.
protocol CommandRunner: AnyObject {
    /// Starts a run, and calls `ended` once, on the queue.
    func start(_ run: CommandRun, ended: @escaping (CommandOutcome) -> Void)

    /// Releases resources, because no command runs or waits.
    func releaseResources()
}

/// The seconds that a command has to end by itself after its time limit.
let commandGraceSeconds = 5
