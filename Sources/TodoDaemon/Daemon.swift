package import CivilTime
package import Dispatch
internal import Glibc
package import ObjectStore
internal import Reminders
internal import Systemd
internal import TodoAPI
internal import Varlink
package import VarlinkServer

/// The daemon: a store, a socket, and a timer, all on one serial queue.
///
/// It starts in the order store, alerts, socket, so that nobody is answered before everything stands, and stops in
/// the reverse order. Every call belongs on `queue`, but for `stop`.
package final class Daemon {
    /// A journal that does not answer holds up the end no longer than this.
    private static let announcementSeconds = 2.0

    /// What a daemon is made of; tests put in a clock and a sink of their own.
    package struct Parts {
        package var queue: DispatchQueue
        package var store: StoreConfiguration
        package var configuration: ConfigurationMonitor
        package var schedule: AlertSchedule
        /// Makes the place where alerts go, which is given its settings afterwards; its argument carries out an
        /// action that a person chose there.
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
    /// Called, once, when the store turns out to be damaged, or its file to be removed or replaced; with the path of a copy
    /// of what was in that one. Nothing is written any more, and the daemon should end.
    package var whenStoreIsLost: (StoreError, _ copy: String?) -> Void = { _, _ in }
    private var isStoreLost = false
    private var saves: Observation?
    private var hasReportedDurability = false
    /// A copy that cannot be made is tried again each minute, and told of once.
    private var hasToldOfRescue = false
    private let startedAt: Timestamp
    /// The same on a clock that nobody sets.
    private let startedOnce = ContinuousClock.now

    /// Opens the store; throws when another process has it, or when it cannot be used.
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
        // Whoever finds the store locked waits beside the queue, not in it.
        coordinator.waitForLocks(seconds: 0)
        let waitingRoom = WaitingRoom(queue: parts.queue) { [coordinator] in coordinator.isLent }
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
        // An item that is due within the lead is told at once, not at the next full minute.
        workspace.whenItemsChanged = { [alerts] in alerts.evaluateIfDue() }
        workspace.whenStoreIsFree = { [alerts] in
            waitingRoom.open()
            // There may be alerts to record, and points to compute anew.
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

    /// The methods that are served.
    package var methods: [String] { router.methods }

    // MARK: - Start and stop

    /// Begins to look for what is due and to answer clients that come to `listener`.
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

    /// Answers nobody any more, lets alerts that are on their way arrive, records them, and closes the store. False
    /// when something could not be saved.
    ///
    /// Unlike everything else it is called from outside the queue, because it waits for the queue.
    package func stop() -> Bool {
        parts.queue.sync {
            server?.stop()
            server = nil
            alerts.stop()
        }
        // Nobody waits for a change that takes long any more, so it ends.
        backup.stop()
        longChanges.wait()
        _ = alerts.announcements.wait(timeout: .now() + Self.announcementSeconds)
        return parts.queue.sync {
            // Now there is time.
            coordinator.waitForLocks(seconds: WaitingRoom.secondsLimit)
            lookForDamage()
            let isSaved = alerts.recordLast() && coordinator.damage == nil
            coordinator.close()
            return isSaved
        }
    }

    // MARK: - While it runs

    /// Does now what is done at each full minute.
    package func evaluate() {
        alerts.evaluate()
        SpareMemory.giveBack()
    }

    /// Reads the configuration again and uses it from now on. The store is chosen at start only.
    package func reload() {
        parts.configuration.reload()
        workspace.configuration = parts.configuration.current.settings
        use(workspace.configuration)
        parts.configuration.report(to: sink)
        alerts.evaluate()
    }

    /// What is wrong with the configuration, in one line, or `nil` if nothing is.
    package var configurationSummary: String? { parts.configuration.summary }

    /// Logs that the disk was full when the store was opened.
    private static func report(_ error: StoreError, _ parts: Parts) {
        parts.log.write(
            .critical,
            "The disk of the store is full: reminders go on, but changes cannot be saved. Make room, then restart todod: until "
                + "then 'todoctl backup' does not work (\(error))",
            fields: [(name: "TODO_PATH", value: parts.store.path ?? "")])
    }

    /// Logs once that saved changes may not survive a loss of power, until a save is on disk again.
    private func reportDurability() {
        guard let error = coordinator.durabilityError else { return hasReportedDurability = false }
        guard !hasReportedDurability else { return }
        hasReportedDurability = true
        parts.log.write(
            .warning, "Changes were saved, but may be lost in a loss of power: \(error)",
            fields: [(name: "TODO_PATH", value: parts.store.path ?? "")])
    }

    private func lookForDamage() {
        // A change that takes long finds out by itself, and its end has us look again.
        guard !isStoreLost, !coordinator.isLent, let damage = coordinator.damage else { return }
        var copy: String?
        if damage.code == .replaced, let path = parts.store.path {
            let place = SafetyCopy.freePath(beside: path, before: "Replacement", at: parts.now())
            switch rescue(damage, to: place) {
            case .kept: copy = place
            case .impossible: break
            case .failed: return
            }
        }
        isStoreLost = true
        whenStoreIsLost(damage, copy)
    }

    private enum Rescue {
        case kept
        /// Other bytes are in the file, and what is left in the log and in memory is no whole store.
        case impossible
        /// It may succeed later.
        case failed
    }

    /// Keeps what is in a file that is nowhere any more when we end.
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
                "\(damage); what was in it cannot be kept: \(error); todod tries again each minute and goes on without saving",
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

    /// How much room the store takes on disk, what is written ahead included.
    private static func bytes(of path: String) -> Int64 {
        ["", "-wal"].reduce(0) { total, suffix in
            var file = stat()
            return stat(path + suffix, &file) == 0 ? total + Int64(file.st_size) : total
        }
    }
}

extension StoreKind {
    /// The kind as people call it.
    fileprivate var title: String {
        switch self {
        case .sqlite: "SQLite"
        case .xml: "XML"
        case .binary: "binary"
        case .memory: "memory"
        }
    }
}
