package import CivilTime
package import Dispatch
internal import Glibc
package import ObjectStore
internal import Reminders
internal import Systemd
internal import TodoAPI
internal import Varlink
package import VarlinkServer

/// The daemon: a store, a socket and a timer, all on one serial queue.
///
/// It starts the store, the alerts and the socket in this order, so that no client gets a reply before everything is
/// ready. It stops them in the reverse order. Every method except `stop` must be called on `queue`.
package final class Daemon {
    /// The longest time for which a journal that does not answer delays the end.
    private static let announcementSeconds = 2.0

    /// The parts of a daemon. Tests supply their own clock and sink.
    package struct Parts {
        package var queue: DispatchQueue
        package var store: StoreConfiguration
        package var configuration: ConfigurationMonitor
        package var schedule: AlertSchedule
        /// Creates the destination for alerts, which gets its settings afterwards.
        ///
        /// The argument performs an action that the user chose there.
        package var makeSink: (@escaping AlertAction.Perform) -> any AlertSink
        package var log: Log
        package var zone: LocalZone
        package var now: @Sendable () -> Timestamp

        package init(
            queue: DispatchQueue, store: StoreConfiguration, configuration: ConfigurationMonitor,
            schedule: AlertSchedule, makeSink: @escaping (@escaping AlertAction.Perform) -> any AlertSink,
            log: Log, zone: LocalZone, now: @escaping @Sendable () -> Timestamp
        ) {
            self.queue = queue
            self.store = store
            self.configuration = configuration
            self.schedule = schedule
            self.makeSink = makeSink
            self.log = log
            self.zone = zone
            self.now = now
        }
    }

    private let parts: Parts
    private let coordinator: PersistentStoreCoordinator
    private let workspace: Workspace
    private let longChanges: LongChanges
    private let backup: BackupHandler
    private let sink: any AlertSink
    private let hub: WatchHub
    private let alerts: AlertLoop
    private let router: RequestRouter
    private var server: Server?
    /// Called once when the store is damaged, or when its file was removed or replaced.
    ///
    /// `copy` is the path of a copy of the removed or replaced file, or `nil`. Nothing is written any more, and the
    /// daemon should end.
    package var whenStoreIsLost: (StoreError, KeptContent) -> Void = { _, _ in }
    private var isStoreLost = false
    private var saves: Observation?
    private var hasReportedDurability = false
    /// Whether a failed copy was reported. It is retried each minute, and reported once.
    private var hasToldOfRescue = false
    private let startedAt: Timestamp
    /// The start on a clock that cannot be set.
    private let startedOnce = ContinuousClock.now

    /// Opens the store.
    ///
    /// - Throws: an error if another process has the store open, or if it cannot be used.
    package init(_ parts: Parts) throws {
        self.parts = parts
        startedAt = parts.now()
        let model = try ReminderModel.current()
        coordinator = PersistentStoreCoordinator(model: model)
        try MigrationReporter(log: parts.log, store: parts.store).open(
            in: coordinator, parts.configuration.current.settings)
        try StoreChange.recordUse(of: coordinator.store, as: parts.store.kind)
        if let path = parts.store.path { HandedOverCopy.removeLeftovers(of: path) }
        if let error = coordinator.openingError { Self.report(error, parts) }
        let context = ManagedObjectContext(coordinator: coordinator)
        let configuration = parts.configuration.current.settings
        workspace = Workspace(
            queue: parts.queue, context: context, store: parts.store, now: parts.now, zone: parts.zone,
            configuration: configuration, log: parts.log)
        longChanges = LongChanges(workspace)
        backup = BackupHandler(workspace: workspace, store: parts.store)
        hub = WatchHub(workspace: workspace)
        // A change that finds the store locked waits outside the queue.
        coordinator.waitForLocks(seconds: 0)
        let waitingRoom = WaitingRoom(queue: parts.queue) { [coordinator] in coordinator.hasBackgroundWriter }
        let actions = QueueConfined(
            AlertActions(workspace: workspace, waitingRoom: waitingRoom, log: parts.log), to: parts.queue)
        let sink = WatchSink(
            parts.makeSink { action, itemID in actions.async { $0.perform(action, on: itemID) } },
            hub: QueueConfined(hub, to: parts.queue))
        self.sink = sink
        let points = AlertPoints(
            context: context, planner: AlertPlanner(settings: configuration.alerts), now: parts.now)
        alerts = try AlertLoop(
            context: context, points: points, sink: sink, schedule: parts.schedule,
            queue: parts.queue, zone: parts.zone, now: parts.now, log: parts.log)
        router = RequestRouter(workspace: workspace, waitingRoom: waitingRoom, log: parts.log)
        try registerHandlers()
        // An item that is due within the lead time gets its alert at once, not at the next full minute.
        workspace.whenItemsChanged = { [alerts] in alerts.evaluateIfDue() }
        workspace.whenStoreIsFree = { [alerts] in
            waitingRoom.open()
            // There may be alerts to record, and alert times to compute again.
            alerts.evaluate()
        }
        router.handIn = { [weak self] in self?.server?.handIn($0) }
        workspace.withdrawAlerts = { sink.withdraw(itemIDs: $0) }
        router.whenFaultOccurs = { [unowned self] in lookForDamage() }
        alerts.whenMinuteHasCome = { [unowned self] in
            SpareMemory.giveBack()
            lookForDamage()
        }
        alerts.whenFaultOccurs = { [unowned self] in lookForDamage() }
        saves = coordinator.observeSaves { [unowned self] _ in reportDurability() }
        let safetyCopy = SafetyCopy(store: parts.store)
        safetyCopy.removeInterruptedRestoration()
        safetyCopy.removeInterruptedCopies()
        use(configuration)
    }

    private func registerHandlers() throws {
        router.register(AddItemHandler(workspace: workspace))
        router.register(try GetItemHandler(workspace: workspace, alerts: alerts))
        router.register(ListItemsHandler(workspace: workspace, alerts: alerts))
        router.register(DueItemsHandler(workspace: workspace, alerts: alerts))
        router.register(CompleteItemsHandler(longChanges: longChanges))
        router.register(ReopenItemsHandler(longChanges: longChanges))
        router.register(SkipItemsHandler(longChanges: longChanges))
        router.register(SnoozeItemsHandler(workspace: workspace, longChanges: longChanges))
        router.register(MuteItemsHandler(longChanges: longChanges))
        router.register(UpdateItemsHandler(workspace: workspace, longChanges: longChanges))
        router.register(DeleteItemsHandler(longChanges: longChanges))
        router.register(AddCategoryHandler(workspace: workspace))
        router.register(ListCategoriesHandler(workspace: workspace))
        router.register(UpdateCategoryHandler(workspace: workspace))
        router.register(DeleteCategoryHandler(workspace: workspace, longChanges: longChanges))
        router.register(EvaluateHandler(workspace: workspace, alerts: alerts))
        router.register(QuietHandler(workspace: workspace, alerts: alerts))
        router.register(UndoHandler(longChanges: longChanges))
        router.register(RedoHandler(longChanges: longChanges))
        router.register(backup)
        router.register(ExportHandler(workspace: workspace))
        router.register(ImportHandler(workspace: workspace, longChanges: longChanges))
        router.register(GetConfigHandler(configuration: parts.configuration))
        router.register(CheckConfigHandler(configuration: parts.configuration))
        router.register(TakeWarningsHandler(configuration: parts.configuration))
        router.register(WatchHandler(workspace: workspace, hub: hub))
        router.register(StatusHandler(workspace: workspace, alerts: alerts) { [unowned self] in status })
    }

    /// The names of the methods that have a handler.
    package var methods: [String] { router.methods }

    // MARK: - Start and stop

    /// Starts to check for due items, and to answer the clients of `listener`.
    package func start(listener: UnixListener) throws {
        try alerts.start()
        let server = Server(
            listener: listener, queue: parts.queue,
            brokenMessageError: APIError.invalidMessage(reason: "").name,
            handle: { [router] in router.route($0) }, turn: { [router] in router.carryOut($0) })
        self.server = server
        try server.start()
        parts.configuration.report(to: sink)
    }

    /// Stops answering, waits for the alerts that are being sent, records them, and closes the store.
    ///
    /// Must be called outside the queue, unlike everything else, because it waits for the queue.
    ///
    /// - Returns: false if something could not be saved.
    package func stop() -> Bool {
        parts.queue.sync {
            server?.stop()
            server = nil
            alerts.stop()
        }
        // No client waits for a background change any more, so it ends.
        backup.stop()
        longChanges.wait()
        _ = alerts.announcements.wait(timeout: .now() + Self.announcementSeconds)
        return parts.queue.sync {
            // A longer wait for a lock is acceptable now.
            coordinator.waitForLocks(seconds: WaitingRoom.secondsLimit)
            lookForDamage()
            let isSaved = alerts.recordLast() && coordinator.damage == nil
            coordinator.close()
            return isSaved
        }
    }

    // MARK: - While it runs

    /// Does the work of a full minute now.
    package func evaluate() {
        alerts.evaluate()
        SpareMemory.giveBack()
    }

    /// Reads the configuration again, and uses it from now on. The store is chosen only at the start.
    package func reload() {
        parts.configuration.reload()
        workspace.configuration = parts.configuration.current.settings
        use(workspace.configuration)
        parts.configuration.report(to: sink)
        alerts.evaluate()
    }

    /// The problems of the configuration in one line, or `nil` if there are none.
    package var configurationSummary: String? { parts.configuration.summary }

    /// Logs that the disk was full when the store was opened.
    private static func report(_ error: StoreError, _ parts: Parts) {
        parts.log.write(
            .critical,
            "The disk of the store is full: alerts are sent, but changes cannot be saved. Free space, then restart todod. "
                + "Until then, 'todoctl backup' does not work (\(error))",
            fields: [(name: "TODO_PATH", value: parts.store.path ?? "")])
    }

    /// Logs once that saved changes may not survive a loss of power, until a save reaches the disk again.
    private func reportDurability() {
        guard let error = coordinator.durabilityError else { return hasReportedDurability = false }
        guard !hasReportedDurability else { return }
        hasReportedDurability = true
        parts.log.write(
            .warning, "Changes were saved, but may be lost in a loss of power: \(error)",
            fields: [(name: "TODO_PATH", value: parts.store.path ?? "")])
    }

    private func lookForDamage() {
        // A background change finds the damage itself, and this check is repeated after it.
        guard !isStoreLost, !coordinator.hasBackgroundWriter, let damage = coordinator.damage else { return }
        var kept = KeptContent.nothing
        if damage.code == .replaced, let path = parts.store.path {
            let place = SafetyCopy.freePath(beside: path, before: "Replacement", at: parts.now())
            switch rescue(damage, to: place) {
            case .kept: kept = .copy(place)
            case .impossible: if access(place + "-wal", F_OK) == 0 { kept = .log(place + "-wal") }
            case .failed: return
            }
        }
        isStoreLost = true
        whenStoreIsLost(damage, kept)
    }

    /// The part of the content of a lost store that is kept in another file, and its path.
    package enum KeptContent {
        case nothing
        case copy(String)
        case log(String)
    }

    private enum Rescue {
        case kept
        /// The file has other contents, and the log and the memory do not contain a whole store.
        case impossible
        /// The copy failed for a reason that may be temporary.
        case failed
    }

    /// Copies the contents of the replaced file, which otherwise would be lost when the daemon ends.
    private func rescue(_ damage: StoreError, to copy: String) -> Rescue {
        do {
            try coordinator.rescueReplacedStore(to: copy)
            return .kept
        } catch let error as StoreError where error.code == .damaged || error.code == .notADatabase {
            return .impossible
        } catch {
            guard !hasToldOfRescue else { return .failed }
            hasToldOfRescue = true
            parts.log.write(
                .critical,
                "\(damage); its contents cannot be kept: \(error); todod retries every minute, and continues without saving",
                id: .storeReplaced,
                fields: [
                    (name: "TODO_PATH", value: parts.store.path ?? ""),
                    (name: "TODO_BACKUP", value: "none yet"),
                ])
            return .failed
        }
    }

    private func use(_ configuration: Configuration) {
        alerts.use(
            configuration.alerts, quietHours: configuration.quietHours,
            breakThrough: configuration.breakThrough)
        sink.apply(configuration)
    }

    private var status: Status.Reply {
        var status = Status.Reply()
        status.processID = Int64(getpid())
        status.startedAt = startedAt
        status.storeKind = parts.store.kind.title
        status.storePath = parts.store.path ?? ""
        status.storeBytes = parts.store.path.map(Self.bytes(of:))
        status.modelVersion = coordinator.model.versionIdentifiers.joined(separator: ", ")
        status.lastTick = alerts.lastTick
        status.quietUntil = alerts.quietPeriod?.until
        status.journal = Journal.isPresent
        status.connections = Int64(server?.connectionCount ?? 0)
        status.watchers = Int64(hub.count)
        status.uptimeSeconds = startedOnce.duration(to: .now).components.seconds
        status.lastTickMicroseconds = alerts.lastTickDuration.map { $0 / .microseconds(1) }.map { Int64($0) }
        let found = parts.configuration.check()
        if !found.problems.isEmpty { status.wrongLines = found.problems.map(WrongLine.init) }
        status.isConfigurationChanged = !found.isEquivalent(to: parts.configuration.current)
        status.places = sink.states.map {
            PlaceState(name: $0.name, state: $0.condition.rawValue, waiting: Int64($0.waiting))
        }
        return status
    }

    /// Returns the size of the store on disk, including its write-ahead log.
    private static func bytes(of path: String) -> Int64 {
        ["", "-wal"].reduce(0) { total, suffix in
            var file = stat()
            return stat(path + suffix, &file) == 0 ? total + Int64(file.st_size) : total
        }
    }
}

extension StoreKind {
    /// The usual name of the kind.
    fileprivate var title: String {
        switch self {
        case .sqlite: "SQLite"
        case .xml: "XML"
        case .binary: "binary"
        case .memory: "memory"
        }
    }
}
