internal import CivilTime
internal import Dispatch
internal import Reminders
internal import Systemd

/// The notifications that the daemon shows, and the items that each is about.
///
/// Steps run one after the other, so a notification has its number before it is closed. Confined to one queue.
final class Desktop {
    /// Whether notifications are turned on. Turning them off does not close the open ones.
    var isEnabled = true {
        didSet {
            guard isEnabled != oldValue else { return }
            conditionDidChange(isEnabled ? .unknown : .off)
            showNotice()
        }
    }
    private let conditionDidChange: (SinkState.Condition) -> Void

    private let server: NotificationServer
    private let zone: LocalZone
    private let log: Log
    private let perform: AlertAction.Perform

    /// The open notifications by number, and the items that each is still about.
    private var shownNotifications: [UInt32: ShownNotification] = [:]
    /// The steps that wait. Each calls its argument when it ends.
    private var steps: [(@escaping () -> Void) -> Void] = []
    private var isBusy = false
    private var isRunning = false
    private var isFailing = false

    /// The notice about the daemon itself that should be shown, and the number of the one that is shown.
    private var notice: DesktopNotice?
    private var noticeNumber: UInt32?

    private struct ShownNotification {
        var itemIDs: Set<Int64>
        let isAboutOneItem: Bool
    }

    /// Creates a desktop, which becomes the delegate of `server`.
    ///
    /// - Parameter conditionDidChange: called each time the condition of the desktop becomes known.
    init(
        server: NotificationServer, zone: LocalZone, log: Log, perform: @escaping AlertAction.Perform,
        conditionDidChange: @escaping (SinkState.Condition) -> Void
    ) {
        self.server = server
        self.zone = zone
        self.log = log
        self.perform = perform
        self.conditionDidChange = conditionDidChange
        server.delegate = self
    }

    func close() { server.close() }

    // MARK: - Showing

    func show(_ batch: AlertBatch, delivered: @escaping ([Alert]) -> Void) {
        guard isEnabled else { return delivered([]) }
        let notifications = DesktopNotification.all(for: batch, zone: zone.current)
        enqueue { [self] done in
            show(notifications[...]) { [self] itemIDs in
                delivered(batch.alerts.filter { itemIDs.contains($0.itemID) })
                done()
                // After a lost connection, the server is known to be there again only now.
                if !itemIDs.isEmpty, notice != nil, noticeNumber == nil { showNotice() }
            }
        }
    }

    /// Shows the notifications in order, and gives up at the first failure: the others would take as long to fail.
    private func show(_ notifications: ArraySlice<DesktopNotification>, shown: @escaping (Set<Int64>) -> Void)
    {
        guard let notification = notifications.first else { return shown([]) }
        let earlier = shownNotifications.first {
            $0.value.isAboutOneItem == notification.isAboutOneItem && isEarlier($0.value, notification)
        }
        server.show(notification, replacing: earlier?.key ?? 0) { [self] result in
            switch result {
            case .failure(let failure):
                report(failure)
                shown([])
            case .success(let number):
                isFailing = false
                if isEnabled { conditionDidChange(.ready) }
                if let earlier { shownNotifications[earlier.key] = nil }
                shownNotifications[number] = ShownNotification(
                    itemIDs: notification.itemIDs, isAboutOneItem: notification.isAboutOneItem)
                show(notifications.dropFirst()) { shown($0.union(notification.itemIDs)) }
            }
        }
    }

    /// Whether a notification replaces an open one.
    ///
    /// A notification about one item replaces the one about the same item. A notification about many replaces the
    /// last one about many.
    private func isEarlier(_ shown: ShownNotification, _ notification: DesktopNotification) -> Bool {
        !notification.isAboutOneItem || shown.itemIDs == notification.itemIDs
    }

    /// Reports a failure. A missing server is not reported, because many machines have none.
    private func report(_ failure: BusFailure) {
        if isEnabled { conditionDidChange(failure.isAbsence ? .absent : .failing) }
        guard !failure.isAbsence, !isFailing else { return }
        isFailing = true
        log.write(
            .warning, "The desktop did not show an alert: \(failure); the alert is in the journal",
            id: .alertSinkFailed, fields: [(name: "TODO_SINK", value: "desktop")])
    }

    // MARK: - Notices

    func show(_ notice: DesktopNotice?, done: @escaping () -> Void = {}) {
        guard notice != self.notice else { return done() }
        self.notice = notice
        showNotice(done: done)
    }

    /// Shows or closes the notice. A desktop without notifications is not reported, because the journal has the notice.
    private func showNotice(done: @escaping () -> Void = {}) {
        enqueue { [self] next in
            let end = {
                next()
                done()
            }
            if isEnabled, let notice {
                server.show(DesktopNotification(notice), replacing: noticeNumber ?? 0) { [self] result in
                    if case .success(let number) = result { noticeNumber = number }
                    end()
                }
            } else if let number = noticeNumber {
                noticeNumber = nil
                server.close(notification: number, done: end)
            } else {
                end()
            }
        }
    }

    // MARK: - Closing

    func closeNotifications(of itemIDs: Set<Int64>) {
        enqueue { [self] done in
            var forgotten: [UInt32] = []
            for (number, notification) in shownNotifications {
                shownNotifications[number]?.itemIDs.subtract(itemIDs)
                if notification.itemIDs.isSubset(of: itemIDs) { forgotten.append(number) }
            }
            for number in forgotten { shownNotifications[number] = nil }
            close(forgotten[...], done: done)
        }
    }

    private func close(_ numbers: ArraySlice<UInt32>, done: @escaping () -> Void) {
        guard let number = numbers.first else { return done() }
        server.close(notification: number) { [self] in close(numbers.dropFirst(), done: done) }
    }

    // MARK: - Steps

    private func enqueue(_ step: @escaping (@escaping () -> Void) -> Void) {
        steps.append(step)
        runNext()
    }

    private func runNext() {
        // A step that ends at once ends inside this loop, which then continues.
        guard !isRunning else { return }
        isRunning = true
        while !isBusy, !steps.isEmpty {
            isBusy = true
            steps.removeFirst()({ [self] in
                isBusy = false
                runNext()
            })
        }
        isRunning = false
    }
}

extension Desktop: NotificationServer.Delegate {
    func actionWasInvoked(_ key: String, on number: UInt32) {
        guard let notification = shownNotifications[number], notification.isAboutOneItem,
            let itemID = notification.itemIDs.first,
            let action = AlertAction.offered.first(where: { $0.key == key })
        else { return }
        perform(action, itemID)
    }

    func notificationWasClosed(_ number: UInt32, byUser: Bool) {
        let notification = shownNotifications.removeValue(forKey: number)
        if byUser { for itemID in notification?.itemIDs.sorted() ?? [] { perform(.dismiss, itemID) } }
        if noticeNumber == number { noticeNumber = nil }
    }

    func serverDidChange() {
        forgetNotifications()
        // At login, the daemon starts before the desktop does.
        if isEnabled { showNotice() }
    }

    /// The next alert connects to the bus again. The notice does not, because a bus that refuses each connection would be
    /// asked without a pause.
    func busDidDisconnect() { forgetNotifications() }

    private func forgetNotifications() {
        shownNotifications = [:]
        noticeNumber = nil
        if isEnabled { conditionDidChange(.unknown) }
    }
}
