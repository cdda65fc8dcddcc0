internal import CLinux
internal import CivilTime
internal import Glibc
internal import Reminders

/// One run of the command, for one alert: everything it is started with.
final class CommandRun {
    let program: String
    let arguments: [String]
    let variables: [(name: String, value: String)]
    /// The alert as JSON, to be read from its beginning; closed with the run.
    let input: Int32
    let timeout: TimeSpan

    /// Nil when there is no memory for the input.
    init?(
        _ command: AlertCommand, _ alert: Alert, at moment: Timestamp, zone: TimeZoneRules, timeout: TimeSpan
    ) {
        program = command.path
        arguments = command.arguments
        variables = alert.variables(now: moment, zone: zone)
        self.timeout = timeout
        input = todod_memory_file()
        guard input >= 0 else { return nil }
        // A file in memory never keeps us waiting, as a pipe would whose reader does not read.
        let json = alert.json(now: moment, zone: zone) + [UInt8(ascii: "\n")]
        let written = json.withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
        guard written == json.count, lseek(input, 0, SEEK_SET) == 0 else { return nil }
    }

    deinit {
        if input >= 0 { close(input) }
    }
}

/// What came of a run.
enum CommandOutcome: Hashable {
    case succeeded
    /// In the words of a message: `it ended with exit status 3`.
    case failed(String)
    /// It was not started, and another way of starting it may work.
    case notStarted

    /// What systemd exits with in place of a program that cannot be executed.
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

/// A way of running a command. Belongs to one queue.
protocol CommandRunner: AnyObject {
    /// Starts it, and calls `ended` once, on the queue.
    func start(_ run: CommandRun, ended: @escaping (CommandOutcome) -> Void)

    /// Nothing runs any more, and nothing will for a while.
    func rest()
}

/// How long a command has to end by itself once its time is up.
let commandGraceSeconds = 5
