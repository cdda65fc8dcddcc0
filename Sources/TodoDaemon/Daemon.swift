internal import Alerts
internal import CivilTime
internal import Dispatch
internal import ObjectStore
internal import Platform
internal import Reminders
internal import TodoAPI
internal import TodoService
internal import VarlinkServer

/// The daemon: a store, the service over it, and a socket, all on one serial queue.
///
/// It starts the store, the alerts and the socket in this order, so that no client gets a reply before everything is
/// ready. It stops them in the reverse order. Every method except `stop` must be called on the queue of its
/// dependencies.
final class Daemon {
    private let queue: DispatchQueue
    private let configuration: ConfigurationMonitor
    private let coordinator: PersistentStoreCoordinator
    private let health: StoreHealth
    private let history: HistoryMaintenance
    private let report: DaemonReport
    private let service: TodoService
    private var server: Server?

    /// Opens the store.
    ///
    /// - Throws: an error if another process has the store open, or if it cannot be used.
    init(
        _ dependencies: TodoService.Dependencies, store: StoreConfiguration,
        configuration: ConfigurationMonitor
    ) throws {
        queue = dependencies.queue
        self.configuration = configuration
        let report = DaemonReport(of: configuration, startedAt: dependencies.now())
        self.report = report
        let settings = configuration.current.settings
        coordinator = PersistentStoreCoordinator(model: try ReminderModel.current())
        try MigrationReporter(log: dependencies.log, store: store).open(in: coordinator, settings)
        try StoreChange.recordUse(of: coordinator.store, as: store.kind)
        let health = StoreHealth(of: coordinator, store: store, log: dependencies.log, now: dependencies.now)
        self.health = health
        health.reportOpeningError()
        let history = HistoryMaintenance(of: coordinator, log: dependencies.log, now: dependencies.now)
        self.history = history
        service = try TodoService(
            dependencies, coordinator: coordinator, store: store, settings: settings.service, host: report,
            faultDidOccur: { health.check() },
            minuteDidPass: {
                FreedMemory.release()
                health.check()
                history.purge()
            })
    }

    // MARK: - Start and stop

    /// Starts to check for due items, and to answer the clients of `listener`.
    ///
    /// - Parameter storeWasLost: called once if the store is damaged, or if its file was removed or replaced. Nothing is
    ///   written any more, and the daemon should end.
    func start(
        listener: UnixListener, storeWasLost: @escaping (StoreError, StoreHealth.KeptContent) -> Void
    ) throws {
        dispatchPrecondition(condition: .onQueue(queue))
        health.reportLoss(to: storeWasLost)
        try service.start()
        let server = Server(
            listener: listener, queue: queue, brokenMessageError: APIError.invalidMessage(reason: "").name,
            handle: { [service, weak self] responder in
                service.handle(responder) { self?.server?.enqueue(responder) }
            }, turn: { [service] in service.carryOut($0) })
        self.server = server
        report.server = server
        try server.start()
        configuration.report(to: service.show)
    }

    /// Stops answering, waits for the alerts that are being sent, records them, and closes the store.
    ///
    /// Must be called outside the queue, unlike everything else, because it waits for the queue.
    ///
    /// - Returns: false if something could not be saved.
    func stop() -> Bool {
        queue.sync {
            server?.stop()
            server = nil
            service.stop()
        }
        service.waitForWork()
        return queue.sync {
            health.check()
            let isSaved = service.recordLast() && coordinator.damage == nil
            coordinator.close()
            return isSaved
        }
    }

    // MARK: - While it runs

    /// Does the work of a full minute now.
    func evaluate() {
        service.evaluate()
        FreedMemory.release()
        history.purge()
    }

    /// Reads the configuration again, and uses it from now on. The store is chosen only at the start.
    func reload() {
        configuration.reload()
        service.apply(configuration.current.settings.service)
        configuration.report(to: service.show)
        service.evaluate()
    }

    /// Whether the store has no items.
    var hasNoItems: Bool {
        (try? ManagedObjectContext(coordinator: coordinator).count(FetchRequest<ToDo>())) == 0
    }

    /// The problems of the configuration in one line, or `nil` if there are none.
    var configurationSummary: String? { configuration.summary }
}

extension Configuration {
    /// The settings that the service uses.
    var service: ServiceSettings {
        var settings = ServiceSettings()
        settings.alerts = alerts
        settings.quietHours = quietHours
        settings.breakThrough = breakThrough
        settings.defaultTime = defaultTime
        settings.delivery = delivery
        return settings
    }
}
