internal import CLinux
internal import CivilTime
internal import Dispatch
internal import Glibc
internal import Systemd

/// Runs a command as a child of the daemon, in its sandbox. The output goes to the standard error of the daemon.
///
/// Each run has its own process group, so that all its processes are ended at the time limit.
final class ProcessRunner: CommandRunner {
    /// The variables that systemd sets for the daemon alone.
    private static let ownVariables = ["NOTIFY_SOCKET", "WATCHDOG_PID", "WATCHDOG_USEC"]

    private let queue: DispatchQueue
    private var children: [pid_t: Child] = [:]

    private final class Child {
        let exit: any DispatchSourceRead
        let timer: any DispatchSourceTimer
        var isOutOfTime = false

        init(exit: any DispatchSourceRead, timer: any DispatchSourceTimer) {
            self.exit = exit
            self.timer = timer
        }
    }

    init(queue: DispatchQueue) {
        self.queue = queue
    }

    func releaseResources() {}

    func start(_ run: CommandRun, ended: @escaping (CommandOutcome) -> Void) {
        dispatchPrecondition(condition: .onQueue(queue))
        let process: pid_t
        do throws(SpawnError) {
            process = try Self.spawn(run)
        } catch {
            return ended(.failed("it cannot be started: \(error.reason)"))
        }
        let descriptor = todod_process_descriptor(process)
        guard descriptor >= 0 else {
            // A process must not run if its end cannot be observed.
            kill(-process, SIGKILL)
            waitpid(process, nil, 0)
            return ended(.failed("it cannot be watched"))
        }
        let child = Child(
            exit: DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue),
            timer: DispatchSource.makeTimerSource(queue: queue))
        children[process] = child
        child.exit.setEventHandler { [self] in
            if let outcome = reap(process, run) { ended(outcome) }
        }
        child.exit.setCancelHandler { close(descriptor) }
        child.timer.setEventHandler { [self] in outOfTime(process) }
        child.timer.schedule(
            deadline: .now() + run.timeout.seconds, repeating: .seconds(commandGraceSeconds))
        child.exit.resume()
        child.timer.resume()
    }

    /// Sends SIGTERM the first time, and SIGKILL the next time.
    private func outOfTime(_ process: pid_t) {
        guard let child = children[process] else { return }
        kill(-process, child.isOutOfTime ? SIGKILL : SIGTERM)
        child.isOutOfTime = true
    }

    private func reap(_ process: pid_t, _ run: CommandRun) -> CommandOutcome? {
        guard let child = children.removeValue(forKey: process) else { return nil }
        child.exit.cancel()
        child.timer.cancel()
        // Until the process is waited for, no other group can get its number.
        if child.isOutOfTime { kill(-process, SIGKILL) }
        var status: Int32 = 0
        waitpid(process, &status, 0)
        if child.isOutOfTime { return .tookLonger(than: run.timeout) }
        let signal = status & 0x7F
        return signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(by: signal)
    }

    // MARK: - Spawning

    private struct SpawnError: Error {
        let reason: String
    }

    private static func spawn(_ run: CommandRun) throws(SpawnError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, run.input, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO)

        // The daemon blocks some signals and ignores others, which a program does not expect.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigaddset(&signals, SIGPIPE)
        sigaddset(&signals, SIGXFSZ)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))

        var process: pid_t = 0
        let arguments = cStrings([run.program] + run.arguments)
        let environment = cStrings(environment(run))
        defer { for text in arguments + environment { free(text) } }
        let status = posix_spawn(&process, run.program, &actions, &attributes, arguments, environment)
        guard status == 0 else { throw SpawnError(reason: String(cString: strerror(status))) }
        return process
    }

    private static func environment(_ run: CommandRun) -> [String] {
        var inherited: [String] = []
        var next = environ
        while let entry = next.pointee {
            inherited.append(String(cString: entry))
            next += 1
        }
        let own = ownVariables + run.variables.map(\.name)
        return inherited.filter { entry in !own.contains { entry.hasPrefix($0 + "=") } }
            + run.variables.map { "\($0.name)=\($0.value)" }
    }

    /// Returns copies of the strings, followed by a null pointer. The caller must free them.
    private static func cStrings(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
        texts.map { strdup($0) } + [nil]
    }
}
