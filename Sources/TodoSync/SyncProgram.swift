internal import ConfigurationFiles
internal import Dispatch
internal import Glibc
internal import Platform
internal import Systemd
internal import TodoAPI
internal import Varlink
internal import VarlinkServer

/// The program `todod-sync`. It reads options and configuration, and synchronizes the accounts until it is stopped.
package final class SyncProgram {
    private enum ExitStatus {
        static let stopped: Int32 = 0
        static let failed: Int32 = 1
        /// `EX_CONFIG`
        static let configuration: Int32 = 78
    }

    /// The queue of the timers, the sockets and the state of all accounts.
    private let queue = DispatchQueue(label: "todod-sync")
    private let log: SyncLog
    private let loader: ConfigurationLoader
    private let listener: UnixListener
    private let accounts: AccountSet
    private let router: SyncRouter
    private let watch: ChangeWatch
    private var network: NetworkWatch?
    private var server: Server?
    private var sources: [any DispatchSourceProtocol] = []
    private var loaded: LoadedSyncSettings
    /// The reason why todod does not answer, or `nil` if it does.
    private let tododReason = Locked<String?>(nil)

    /// Runs the program and returns its exit status. It does not return while the program works.
    ///
    /// Must be called once, on the main thread, before any other thread runs.
    package static func run(arguments: [String]) -> Int32 {
        StandardStream.reserveDescriptors()
        // In the service, a thread may not change its priority. That needs no line in the journal.
        Environment.setDefault("LIBDISPATCH_LOG", to: "NO")
        let options: SyncOptions
        do {
            try ClockOffset.readEnvironment()
            options = try SyncOptions(arguments: arguments)
        } catch {
            StandardStream.error.writeOnce(
                "todod-sync: \(error)\nType 'todod-sync --help' for a list of options.\n")
            return ExitStatus.failed
        }
        switch options.action {
        case .printHelp: print(SyncOptions.help, terminator: "")
        case .printVersion: print("todod-sync \(tododVersion)")
        case .checkConfiguration: return checkConfiguration(options)
        case .run: return run(options)
        }
        return ExitStatus.stopped
    }

    private static func loader(_ options: SyncOptions) -> ConfigurationLoader {
        options.configurationFile.map(ConfigurationLoader.init(file:))
            ?? ConfigurationLoader(directory: UserDirectories().configuration)
    }

    private static func load(_ loader: ConfigurationLoader) -> LoadedSyncSettings {
        var loaded = LoadedSyncSettings()
        loader.read(into: &loaded)
        return loaded
    }

    private static func checkConfiguration(_ options: SyncOptions) -> Int32 {
        let problems = load(loader(options)).problems
        for problem in problems { StandardStream.error.writeOnce("todod-sync: \(problem)\n") }
        return problems.isEmpty ? ExitStatus.stopped : ExitStatus.configuration
    }

    private static func run(_ options: SyncOptions) -> Int32 {
        blockSignals()
        FreedMemory.returnLargeBlocks()
        let log = SyncLog()
        do {
            let program = try SyncProgram(options, log)
            try program.start()
            withExtendedLifetime(program) { dispatchMain() }
        } catch {
            log.write(.error, "todod-sync cannot start: \(error)")
            ServiceManager.notify(.status("\(error)"))
            log.flush()
            return ExitStatus.failed
        }
    }

    private init(_ options: SyncOptions, _ log: SyncLog) throws {
        self.log = log
        let directories = UserDirectories()
        loader = Self.loader(options)
        loaded = Self.load(loader)
        let path = options.socketPath ?? directories.syncSocket
        guard let address = UnixAddress(path: path) else {
            throw StartError(
                description:
                    "the path of the socket is longer than \(UnixAddress.pathBytesLimit) bytes: \(path)")
        }
        try FileSystem.makeDirectory(of: path)
        listener = try UnixListener(at: address)
        let context = SyncContext(
            queue: queue, log: log, passwords: Passwords(directory: "\(directories.state)/sync"),
            connector: CalDAVConnector(userAgent: "todod-sync/\(tododVersion)"),
            todod: { TodoConnection(socketPath: directories.socket) },
            hasNetwork: { NetworkWatch.hasNetwork })
        let accounts = AccountSet(context, loaded.settings)
        self.accounts = accounts
        router = SyncRouter(context, accounts, loaded.settings)
        watch = ChangeWatch(socketPath: directories.socket) { [queue, log, tododReason] event in
            Self.log(event, tododReason, log)
            if case .disconnected = event { return }
            queue.async { accounts.itemsDidChange() }
        }
    }

    private struct StartError: Error, CustomStringConvertible {
        let description: String
    }

    // MARK: - Running

    private func start() throws {
        try queue.sync {
            listenForSignals()
            let server = Server(
                listener: listener, queue: queue, brokenMessageError: APIError.invalidMessage(reason: "").name
            ) { [router] in router.handle($0) }
            self.server = server
            try server.start()
            network = NetworkWatch(queue: queue) { [accounts] in accounts.networkDidChange() }
            reportProblems()
        }
        watch.start()
        ServiceManager.notify(.ready)
        log.write(.info, "todod-sync \(tododVersion) started")
    }

    /// Logs once that todod does not answer, and that it answers again.
    private static func log(_ event: ChangeWatch.Event, _ reason: Locked<String?>, _ log: SyncLog) {
        let (known, present) = reason.withLock { known in
            let before = known
            switch event {
            case .connected: known = nil
            case .disconnected(let reason): known = reason
            case .changed: break
            }
            return (before, known)
        }
        if let present, known == nil {
            log.write(.warning, "todod does not answer; trying again: \(present)")
        } else if known != nil, present == nil {
            log.write(.info, "todod answers again")
        }
    }

    private func reportProblems() {
        for problem in loaded.problems {
            log.write(.warning, "\(problem); the line is ignored", id: .configurationRejected)
        }
    }

    /// Blocks the signals in every thread, because sources on the queue receive them.
    private static func blockSignals() {
        var signals = sigset_t()
        sigemptyset(&signals)
        for signal in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&signals, signal) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        // A write to a connection that has ended must fail without ending the program.
        signal(SIGPIPE, SIG_IGN)
    }

    private func listenForSignals() {
        on(SIGTERM) { [unowned self] in stop() }
        on(SIGINT) { [unowned self] in stop() }
        on(SIGHUP) { [unowned self] in reload() }
    }

    private func on(_ signal: Int32, _ action: @escaping () -> Void) {
        let source = DispatchSource.makeSignalSource(signal: signal, queue: queue)
        source.setEventHandler { action() }
        source.resume()
        sources.append(source)
    }

    /// Ends at once. A pass that is running is repeated at the next start, which changes nothing twice.
    private func stop() {
        ServiceManager.notify(.stopping)
        server?.stop()
        log.write(.info, "Stopped")
        log.flush()
        // Destructors would wait for the threads of passes.
        _exit(ExitStatus.stopped)
    }

    private func reload() {
        ServiceManager.notify(.reloading)
        loaded = Self.load(loader)
        reportProblems()
        router.settings = loaded.settings
        accounts.apply(loaded.settings)
        log.write(.notice, "The configuration was read again", id: .configurationReloaded)
        ServiceManager.notify(.ready)
    }
}
