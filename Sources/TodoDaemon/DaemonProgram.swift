internal import Alerts
internal import CivilTime
internal import ConfigurationFiles
internal import Dispatch
internal import Glibc
internal import ObjectStore
internal import Platform
internal import Systemd
internal import TodoAPI
internal import TodoService
internal import Varlink
internal import VarlinkServer

/// The program `todod`. It reads options and configuration, and runs the daemon until it is stopped.
package final class DaemonProgram {
    private enum ExitStatus {
        static let stopped: Int32 = 0
        static let failed: Int32 = 1
        // From sysexits.h. The service file prevents a restart after them.
        /// `EX_DATAERR`
        static let damagedStore: Int32 = 65
        /// `EX_CONFIG`
        static let configuration: Int32 = 78
    }

    /// The only queue with its priority, so one thread runs it, and the caches still have the data of the last call.
    ///
    /// Queues of one priority share their threads, and each task goes to the thread that has waited longest.
    private let queue = DispatchQueue(label: "todod", qos: .userInitiated)
    private let log = Log()
    private let daemon: Daemon
    private let listener: UnixListener
    private let startMessage: StartMessage
    private let end = DispatchSemaphore(value: 0)
    private var sources: [any DispatchSourceProtocol] = []
    /// The error that ends the program, with its text in the journal, if the store was found damaged or replaced.
    private var loss: (error: StoreError, text: String)?

    /// Runs the program and returns its exit status.
    ///
    /// Must be called once, on the main thread, before any other thread runs.
    package static func run(arguments: [String]) -> Int32 {
        StandardStream.reserveDescriptors()
        // In the service, a thread may not change its priority. That needs no line in the journal.
        Environment.setDefault("LIBDISPATCH_LOG", to: "NO")
        do throws(ClockOffset.Invalid) {
            try ClockOffset.readEnvironment()
        } catch {
            StandardError.print("todod: \(error)")
            return ExitStatus.failed
        }
        let options: DaemonOptions
        do throws(CommandLineOptions.UsageError) {
            options = try DaemonOptions(arguments: arguments)
        } catch {
            StandardError.print("todod: \(error)\nType 'todod --help' for a list.")
            return ExitStatus.failed
        }
        switch options.action {
        case .printHelp:
            print(DaemonOptions.help, terminator: "")
            return ExitStatus.stopped
        case .printVersion:
            print("todod \(tododVersion)")
            return ExitStatus.stopped
        case .check, .migrate, .restore:
            return maintain(options)
        case .checkConfiguration:
            return checkConfiguration(options)
        case .run:
            return run(options)
        }
    }

    /// Performs an action on the store alone, in the foreground.
    private static func maintain(_ options: DaemonOptions) -> Int32 {
        let directories = UserDirectories()
        do {
            let record = record(options, directories)
            try StoreChoice.requireFreeName(options, directories, record)
            let loaded = StoreChoice.checked(
                loader(options, directories).load(), options, directories, record)
            let isRestoring = if case .restore = options.action { true } else { false }
            let choice = try StoreChoice(loaded, options, directories, record, isRestoring: isRestoring)
            for problem in loaded.problems {
                StandardError.print("todod: warning: \(problem); \(problem.consequence(with: choice))")
            }
            let maintenance = StoreMaintenance(choice, loaded.settings)
            switch options.action {
            case .migrate: print(try maintenance.migrate())
            case .restore(let copy): print(try maintenance.restore(from: copy, at: .now))
            default:
                let (lines, isSound) = try maintenance.check()
                print(lines.joined(separator: "\n"))
                return isSound ? ExitStatus.stopped : ExitStatus.damagedStore
            }
            return ExitStatus.stopped
        } catch {
            StandardError.print("todod: \(StartError.text(for: error))")
            return status(of: error)
        }
    }

    /// Reports the wrong lines: on standard error or, when a reload of the service runs it, in the journal.
    private static func checkConfiguration(_ options: DaemonOptions) -> Int32 {
        let directories = UserDirectories()
        let record = record(options, directories)
        let loader = loader(options, directories)
        let loaded = StoreChoice.checked(loader.load(), options, directories, record)
        let problems = loaded.problems
        let log = Log()
        for problem in problems {
            log.write(
                .error, "\(problem)", id: .configurationRejected,
                fields: [(name: "TODO_PATH", value: problem.path)])
        }
        if let warning = StoreChoice.newStoreWarning(loaded, options, directories, record) {
            log.write(.warning, "\(warning)")
        }
        // They do not keep todod from reading its own settings again.
        for problem in loader.syncProblems() { log.write(.warning, "\(problem)") }
        log.flush()
        return problems.isEmpty ? ExitStatus.stopped : ExitStatus.configuration
    }

    private static func status(of error: any Error) -> Int32 {
        if error is StoreInDoubt { return ExitStatus.configuration }
        return (error as? StoreError)?.code == .damaged ? ExitStatus.damagedStore : ExitStatus.failed
    }

    private static func loader(_ options: DaemonOptions, _ directories: UserDirectories)
        -> ConfigurationLoader
    {
        options.configurationFile.map(ConfigurationLoader.init(file:))
            ?? ConfigurationLoader(directory: directories.configuration)
    }

    private static func record(_ options: DaemonOptions, _ directories: UserDirectories) -> StoreRecord {
        // Links stay as they are, so that a link to a file that is gone has the same record.
        let configuration = options.configurationFile.map(FileSystem.normalized)
        return StoreRecord(of: configuration ?? directories.configuration, in: directories.state)
    }

    private static func run(_ options: DaemonOptions) -> Int32 {
        // This changes the environment, so there must be no other thread yet that could read it.
        let passedSockets = ServiceManager.passedSockets()
        blockSignals()
        FreedMemory.returnLargeBlocks()
        let directories = UserDirectories()
        let notice = StartNotice(besideSocket: options.socketPath ?? directories.socket)
        do {
            let program = try DaemonProgram(options, directories, passedSockets)
            notice.forget()
            let status = try program.runUntilStopped()
            if let loss = program.loss {
                notice.show(DesktopNotice(endedBy: loss.error, loss.text), program.log)
            }
            return status
        } catch {
            return fail(error, notice)
        }
    }

    /// Reports the reason why the daemon cannot start, to the log and to systemd.
    private static func fail(_ error: any Error, _ notice: StartNotice) -> Int32 {
        let log = Log()
        defer { log.flush() }
        if let doubt = error as? StoreInDoubt {
            for problem in doubt.problems {
                log.write(
                    .error, "\(problem)", id: .storeInDoubt,
                    fields: [(name: "TODO_PATH", value: problem.path)])
            }
            log.write(.error, "\(doubt.advice)", id: .storeInDoubt)
            ServiceManager.notify(.status("\(doubt.problems.first?.description ?? ""); \(doubt.advice)"))
            notice.show(DesktopNotice(stoppedBy: doubt.problems), log)
            return ExitStatus.configuration
        }
        let status = status(of: error)
        let text = StartError.text(for: error)
        log.write(
            .error, "\(text)",
            id: status == ExitStatus.damagedStore ? .storeDamaged : nil,
            fields: (error as? StoreError)?.path.map { [(name: "TODO_PATH", value: $0)] } ?? [])
        ServiceManager.notify(.status(text))
        if !StartError.isOfRunningDaemon(error) { notice.show(DesktopNotice(stoppedBy: text), log) }
        return status
    }

    private init(
        _ options: DaemonOptions, _ directories: UserDirectories, _ passedSockets: [Int32]
    ) throws {
        let loader = Self.loader(options, directories)
        let record = Self.record(options, directories)
        try StoreChoice.requireFreeName(options, directories, record)
        var configuration = ConfigurationMonitor(log: log) {
            StoreChoice.checked(loader.load(), options, directories, record)
        }
        var choice = try StoreChoice(configuration.current, options, directories, record)
        let refuse = { [log] (reason: String, oldStore: StoreConfiguration?) throws in
            let refusal = StoreChoice.Refusal(store: choice.store, reason: reason)
            configuration = ConfigurationMonitor(log: log) {
                StoreChoice.checked(loader.load(), options, directories, record, refusal)
            }
            choice = try StoreChoice(
                configuration.current, options, directories, record, keepingItemsIn: oldStore)
            try StoreChange(to: choice)?.run(configuration.current.settings, log)
        }
        do {
            try StoreChange(to: choice)?.run(configuration.current.settings, log)
        } catch let failure as StoreChange.Failure {
            // The items are still in the old store.
            try refuse(failure.description, failure.source)
        }
        var newStore: NewStoreWarning?
        let prepare = {
            configuration.store = choice
            configuration.findNewStoreWarning = {
                StoreChoice.newStoreWarning($0, options, directories, record)
            }
            configuration.findSyncProblems = loader.syncProblems
            newStore = configuration.findNewStoreWarning(configuration.current)
        }
        prepare()
        let now: @Sendable () -> Timestamp = { .now }
        let zone = LocalZone { [log] name in
            log.write(
                .warning, "TZ names an unknown time zone, '\(name)'; times are in UTC",
                id: .unknownTimeZone)
        }
        let dependencies = TodoService.Dependencies(
            queue: queue, schedule: options.tickSeconds.map { .seconds($0) } ?? .minutes,
            makeSink: { [log] perform in AlertSinks(zone: zone, log: log, perform: perform) },
            log: log, zone: zone, now: now)
        // The store is locked first, because probing the socket of a daemon that starts would wake it.
        let open = { [queue] (store: StoreConfiguration, monitor: ConfigurationMonitor) throws in
            try queue.sync { try Daemon(dependencies, store: store, configuration: monitor) }
        }
        let canReturn = choice.canReturn
        do {
            daemon = try open(choice.store, configuration)
        } catch let error as StoreError where canReturn {
            // The store could not be created.
            try refuse("\(error)", nil)
            prepare()
            daemon = try open(choice.store, configuration)
        }
        if choice.isRecorded {
            let isEmpty = newStore != nil && daemon.hasNoItems
            Self.keep(choice.store, after: isEmpty ? newStore?.previous : nil, in: record, log)
        }
        do {
            listener = try Self.listener(options, directories, passedSockets)
        } catch {
            _ = daemon.stop()
            throw error
        }
        startMessage = StartMessage(
            socketPath: options.socketPath ?? directories.socket,
            isDefaultSocket: options.socketPath == nil,
            storePath: choice.store.path ?? "")
    }

    /// Records the store. A failure is only logged, because only a wrong configuration makes the record necessary.
    private static func keep(
        _ store: StoreConfiguration, after previous: StoreConfiguration?, in record: StoreRecord, _ log: Log
    ) {
        do {
            try record.record(store, after: previous)
        } catch {
            log.write(.warning, "Recording the open store failed: \(error)")
        }
    }

    /// Returns the socket that systemd passed or, without one, a new socket in a directory of mode 0700.
    private static func listener(
        _ options: DaemonOptions, _ directories: UserDirectories, _ passedSockets: [Int32]
    ) throws -> UnixListener {
        if options.socketPath == nil, let passed = passedSockets.first {
            return try UnixListener(passed: passed)
        }
        let path = options.socketPath ?? directories.socket
        guard let address = UnixAddress(path: path) else { throw SocketPathTooLong(path: path) }
        try FileSystem.makeDirectory(of: path)
        return try UnixListener(at: address)
    }

    // MARK: - Running

    private func runUntilStopped() throws -> Int32 {
        try queue.sync {
            try daemon.start(listener: listener) { [unowned self] in stop(because: $0, $1) }
            listenForSignals()
            startWatchdog()
        }
        ServiceManager.notify(.status(statusLine))
        ServiceManager.notify(.ready)
        log.write(
            .info, "todod \(tododVersion) started, using \(startMessage.storePath)",
            id: .daemonStarted,
            fields: [(name: "TODO_PATH", value: startMessage.storePath)])
        if StandardError.isTerminal {
            log.flush()
            startMessage.show()
        }

        end.wait()
        ServiceManager.notify(.stopping)
        let isSaved = daemon.stop()
        if let loss {
            log.flush()
            return Self.status(of: loss.error)
        }
        log.write(
            .info, isSaved ? "Stopped; everything is saved" : "Stopped; not everything could be saved",
            id: .daemonStopped)
        log.flush()
        return isSaved ? ExitStatus.stopped : ExitStatus.failed
    }

    private func stop(because loss: StoreError, _ kept: StoreHealth.KeptContent) {
        let isReplaced = loss.code == .replaced
        let text =
            switch kept {
            case .copy(let copy):
                "\(loss); its contents are kept as \(copy); todod ends, so that it starts with the current file"
            case .log(let log):
                "\(loss); its contents can no longer be read; its log with the last changes is kept as \(log); todod ends, so "
                    + "that it starts with the current file"
            case .nothing where isReplaced:
                "\(loss); its contents can no longer be read, and no copy is kept; todod ends, so that it starts with the "
                    + "current file"
            case .nothing: "\(StartError.text(for: loss)); todod ends without further changes"
            }
        self.loss = (loss, text)
        var fields = [(name: "TODO_PATH", value: startMessage.storePath)]
        if isReplaced {
            let copy = if case .copy(let path) = kept { path } else { "none" }
            fields.append((name: "TODO_BACKUP", value: copy))
        }
        log.write(.critical, "\(text)", id: isReplaced ? .storeReplaced : .storeDamaged, fields: fields)
        ServiceManager.notify(.status("\(loss)"))
        end.signal()
    }

    /// Blocks the signals in every thread, because sources on the queue receive them.
    private static func blockSignals() {
        var signals = sigset_t()
        sigemptyset(&signals)
        for signal in [SIGTERM, SIGINT, SIGHUP, SIGUSR1] { sigaddset(&signals, signal) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        // If a client has disconnected, or the terminal is closed, the write must fail without ending the daemon.
        signal(SIGPIPE, SIG_IGN)
        // If the size of files is limited, the write must fail without ending the daemon.
        signal(SIGXFSZ, SIG_IGN)
    }

    private func listenForSignals() {
        on(SIGTERM) { [end] in end.signal() }
        on(SIGINT) { [end] in end.signal() }
        on(SIGHUP) { [unowned self] in reload() }
        on(SIGUSR1) { [unowned self] in daemon.evaluate() }
    }

    private func on(_ signal: Int32, _ action: @escaping () -> Void) {
        let source = DispatchSource.makeSignalSource(signal: signal, queue: queue)
        source.setEventHandler { action() }
        source.resume()
        sources.append(source)
    }

    /// Notifies systemd twice per interval that the queue still runs.
    private func startWatchdog() {
        guard let interval = ServiceManager.watchdogMicroseconds else { return }
        let timer = DispatchSource.makeTimerSource(queue: queue)
        let half = DispatchTimeInterval.microseconds(Int(interval / 2))
        timer.schedule(deadline: .now() + half, repeating: half)
        timer.setEventHandler { ServiceManager.notify(.watchdog) }
        timer.resume()
        sources.append(timer)
    }

    private func reload() {
        ServiceManager.notify(.reloading)
        daemon.reload()
        ServiceManager.notify(.status(statusLine))
        ServiceManager.notify(.ready)
    }

    /// The status that `systemctl status` shows.
    private var statusLine: String {
        let summary = daemon.configurationSummary.map { "; \($0)" } ?? ""
        return "Using \(startMessage.storePath)\(summary)"
    }
}
