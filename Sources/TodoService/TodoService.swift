package import Alerts
package import CivilTime
package import Dispatch
package import ObjectStore
internal import Reminders
internal import TodoAPI
package import VarlinkServer

/// The methods of the interface over one store, without a socket.
///
/// It makes the changes, sends the alerts, and reports both to watchers. Confined to its queue, except for
/// `waitForWork`.
package final class TodoService {
    /// The longest time for which a journal that does not answer delays the end.
    private static let deliverySeconds = 2.0

    /// The objects and values that a service depends on. Tests supply their own clock and sink.
    package struct Dependencies {
        package var queue: DispatchQueue
        package var schedule: AlertSchedule
        /// Creates the destination for alerts, which gets its settings afterwards.
        ///
        /// The argument performs an action that the user chose there.
        package var makeSink: (@escaping AlertAction.Perform) -> any AlertSink
        package var log: Log
        package var zone: LocalZone
        package var now: @Sendable () -> Timestamp

        package init(
            queue: DispatchQueue, schedule: AlertSchedule,
            makeSink: @escaping (@escaping AlertAction.Perform) -> any AlertSink, log: Log,
            zone: LocalZone, now: @escaping @Sendable () -> Timestamp
        ) {
            self.queue = queue
            self.schedule = schedule
            self.makeSink = makeSink
            self.log = log
            self.zone = zone
            self.now = now
        }
    }

    private let queue: DispatchQueue
    private let context: ServiceContext
    private let actions: AlertActions
    private let backgroundChanges: BackgroundChangeQueue
    private let backup: BackupHandler
    private let hub: WatchHub
    private let sink: any AlertSink
    private let alerts: AlertLoop
    private let router: RequestRouter

    /// Creates the service of an open store.
    ///
    /// - Parameters:
    ///   - coordinator: has the store `store` open.
    ///   - faultDidOccur: called when the store could not be read or written.
    ///   - minuteDidPass: called after the check at each full minute.
    package init(
        _ dependencies: Dependencies, coordinator: PersistentStoreCoordinator, store: StoreConfiguration,
        settings: ServiceSettings, host: any ServiceHost, faultDidOccur: @escaping () -> Void = {},
        minuteDidPass: @escaping () -> Void = {}
    ) throws {
        let queue = dependencies.queue
        self.queue = queue
        // A change that finds the store locked waits outside the queue.
        coordinator.waitForLocks(seconds: 0)
        let blockedCalls = BlockedCalls(queue: queue) { coordinator.hasBackgroundWriter }
        let objects = ManagedObjectContext(coordinator: coordinator)
        hub = WatchHub(
            coordinator,
            feed: try HistoryFeed(coordinator)
                ?? RecentChanges(
                    ItemStore(context: objects, configuration: store), now: dependencies.now))
        let performer = AlertActions.Reference()
        let confined = QueueConfined(performer, to: queue)
        let sink = WatchSink(
            dependencies.makeSink { action, itemID in
                confined.async { $0.actions?.perform(action, on: itemID) }
            },
            hub: QueueConfined(hub, to: queue))
        self.sink = sink

        let alertTimes = AlertTimes(
            context: objects, planner: AlertPlanner(settings: settings.alerts), zone: dependencies.zone,
            now: dependencies.now)
        let alerts = try AlertLoop(
            context: objects, alertTimes: alertTimes, sink: sink, schedule: dependencies.schedule,
            queue: queue,
            zone: dependencies.zone, now: dependencies.now, log: dependencies.log,
            faultDidOccur: faultDidOccur, minuteDidPass: minuteDidPass)
        self.alerts = alerts
        let events = ServiceEvents(
            // An item that is due within the lead time gets its alert at once, not at the next full minute.
            itemsDidSave: alerts.evaluateIfDue,
            closeAlerts: sink.closeAlerts(of:),
            storeDidBecomeFree: {
                blockedCalls.retryAll()
                // There may be alerts to record, and alert times to compute again.
                alerts.evaluate()
            })
        context = ServiceContext(
            ServiceContext.SharedValues(
                queue: queue, store: store, now: dependencies.now, zone: dependencies.zone,
                defaultTime: settings.defaultTime, log: dependencies.log),
            context: objects, events: events)
        actions = AlertActions(service: context, blockedCalls: blockedCalls, log: dependencies.log)
        performer.actions = actions
        backgroundChanges = BackgroundChangeQueue(context, alertTimes)
        backup = BackupHandler(service: context)
        router = RequestRouter(
            service: context, blockedCalls: blockedCalls, log: dependencies.log, faultDidOccur: faultDidOccur)
        try registerHandlers(host)
        registerSyncHandlers(alertTimes)
        removeLeftovers(of: store)
        apply(settings)
    }

    private func registerHandlers(_ host: any ServiceHost) throws {
        router.register(AddItemHandler(service: context))
        router.register(try GetItemHandler(service: context, alerts: alerts))
        router.register(ListItemsHandler(service: context, alerts: alerts))
        router.register(DueItemsHandler(service: context, alerts: alerts))
        router.register(ListHistoryHandler(service: context))
        router.register(CompleteItemsHandler(service: context, backgroundChanges: backgroundChanges))
        router.register(ReopenItemsHandler(backgroundChanges: backgroundChanges))
        router.register(SkipItemsHandler(service: context, backgroundChanges: backgroundChanges))
        router.register(SnoozeItemsHandler(service: context, backgroundChanges: backgroundChanges))
        router.register(MuteItemsHandler(backgroundChanges: backgroundChanges))
        router.register(UpdateItemsHandler(service: context, backgroundChanges: backgroundChanges))
        router.register(DeleteItemsHandler(service: context, backgroundChanges: backgroundChanges))
        router.register(AddCategoryHandler(service: context))
        router.register(ListCategoriesHandler(service: context))
        router.register(UpdateCategoryHandler(service: context))
        router.register(DeleteCategoryHandler(service: context, backgroundChanges: backgroundChanges))
        router.register(ListTagsHandler(service: context))
        router.register(UpdateTagHandler(service: context))
        router.register(DeleteTagHandler(service: context, backgroundChanges: backgroundChanges))
        router.register(AddViewHandler(service: context))
        router.register(ListViewsHandler(service: context))
        router.register(UpdateViewHandler(service: context))
        router.register(DeleteViewHandler(service: context))
        router.register(EvaluateHandler(service: context, alerts: alerts))
        router.register(QuietHandler(service: context, alerts: alerts))
        router.register(UndoHandler(backgroundChanges: backgroundChanges))
        router.register(RedoHandler(backgroundChanges: backgroundChanges))
        router.register(backup)
        router.register(ExportHandler(service: context))
        router.register(ImportHandler(service: context, backgroundChanges: backgroundChanges))
        router.register(GetConfigHandler(host: host))
        router.register(CheckConfigHandler(host: host))
        router.register(TakeWarningsHandler(host: host))
        router.register(WatchHandler(service: context, hub: hub))
        router.register(
            StatusHandler(service: context, alerts: alerts, sink: sink, hub: hub, host: host))
    }

    private func registerSyncHandlers(_ alertTimes: AlertTimes) {
        let settings = { [alertTimes] in alertTimes.planner.settings }
        router.register(AddSyncAccountHandler(service: context))
        router.register(ListSyncAccountsHandler(service: context))
        router.register(DeleteSyncAccountHandler(service: context))
        router.register(UpdateSyncListHandler(service: context))
        router.register(ListSyncEntriesHandler(service: context))
        router.register(TakeSyncChangesHandler(service: context, alertSettings: settings))
        router.register(ListSyncUploadsHandler(service: context))
        router.register(RecordSyncUploadsHandler(service: context, alertSettings: settings))
        router.register(ListSyncConflictsHandler(service: context))
        router.register(ResolveSyncConflictHandler(service: context))
    }

    /// Removes the files that a crash has left beside the store.
    private func removeLeftovers(of store: StoreConfiguration) {
        if let path = store.path { OfferedBackup.removeLeftovers(of: path) }
        let safetyCopy = SafetyCopy(store: store)
        safetyCopy.removeInterruptedRestoration()
        safetyCopy.removeInterruptedCopies()
    }

    // MARK: - Calls

    /// The names of the methods that have a handler.
    var methods: [String] { router.methods }

    /// Handles one call within a turn.
    ///
    /// - Parameter retry: submits the call again. It is called later if the call has to wait for the store.
    package func handle(_ responder: Responder, retry: @escaping () -> Void) {
        dispatchPrecondition(condition: .onQueue(queue))
        router.route(responder, retry: retry)
    }

    /// Handles the calls that arrived together, with one COMMIT for all their changes.
    ///
    /// If that fails, nothing is kept. The returned error then replies to all of the calls.
    package func carryOut(_ calls: () -> Void) -> [UInt8]? {
        dispatchPrecondition(condition: .onQueue(queue))
        return router.carryOut(calls)
    }

    // MARK: - Alerts

    /// Applies settings from now on.
    package func apply(_ settings: ServiceSettings) {
        dispatchPrecondition(condition: .onQueue(queue))
        context.times.defaultTime = settings.defaultTime
        alerts.apply(
            settings.alerts, quietHours: settings.quietHours, breakThrough: settings.breakThrough)
        sink.apply(settings.delivery)
    }

    /// Checks for due items now.
    package func evaluate() {
        dispatchPrecondition(condition: .onQueue(queue))
        alerts.evaluate()
    }

    /// Shows a notice about the daemon on the desktop, or closes it.
    package func show(_ notice: DesktopNotice?) { sink.show(notice) }

    // MARK: - Start and stop

    /// Starts to check for due items.
    package func start() throws {
        dispatchPrecondition(condition: .onQueue(queue))
        try alerts.start()
    }

    /// Stops checking for due items.
    package func stop() {
        dispatchPrecondition(condition: .onQueue(queue))
        alerts.stop()
    }

    /// Waits for background changes, which end because no client waits for them, and for alerts that are being sent.
    ///
    /// Must be called outside the queue, after the clients have disconnected.
    package func waitForWork() {
        dispatchPrecondition(condition: .notOnQueue(queue))
        backup.stop()
        backgroundChanges.wait()
        _ = alerts.deliveries.wait(timeout: .now() + Self.deliverySeconds)
        // A longer wait for a lock is acceptable now.
        queue.sync { context.store.context.coordinator.waitForLocks(seconds: BlockedCalls.secondsLimit) }
    }

    /// Records all alerts that were sent, and returns whether that succeeded.
    package func recordLast() -> Bool {
        dispatchPrecondition(condition: .onQueue(queue))
        return alerts.recordLast()
    }
}
