/// A second implementation of the alert rule, slow and simple: every check reads all items and all of their alert
/// times.
///
/// It has no stored alert times, indexes, rows and caches, which the daemon is tested for. Times are in seconds since
/// 1970.
struct WalkModel {
    struct Settings: Equatable {
        var leads = [300.0, 0]
        var quiet = 300.0
        var catchUp = 30 * 86_400.0
        var nag: Double?
        var breakThrough: Int?

        /// Nags that are at least as frequent as the quiet time ignore it.
        var quietBeforeNag: Double { nag.map { $0 <= quiet } ?? false ? 0 : quiet }
    }

    struct Item: Equatable {
        var name = ""
        var due: Double?
        /// The item's own lead times. An item without any has the default ones.
        var leads: Set<Int> = []
        var priority = 0
        var isCompleted = false
        var isMuted = false
        var category: Int64?
        var snoozedUntil: Double?

        /// The due time for which the alert of each own lead time was sent.
        var sent: [Int: Double] = [:]
        /// The last alert time of the default lead times that is over.
        var alertedUpTo: Double?
        var lastAlert: Double?
        /// Nags at or before this time are over.
        var nagsAfter = 0.0
        /// A nag of earlier settings that is due and was not sent yet.
        var oldNag: Double?

        var isSilent: Bool { isCompleted || isMuted }

        /// The alert times for the current due time, and whether each is over.
        func alertTimes(_ settings: Settings) -> [(time: Double, isOver: Bool)] {
            guard let due else { return [] }
            guard leads.isEmpty else { return leads.map { (due - Double($0), sent[$0] == due) } }
            return settings.leads.map { lead in
                (due - lead, alertedUpTo.map { due - lead <= $0 && $0 <= due } ?? false)
            }
        }

        /// The alert times without an alert so far. A snooze replaces those up to its end.
        func openAlertTimes(_ settings: Settings) -> [Double] {
            alertTimes(settings).filter { !$0.isOver }.map(\.time).filter { $0 > snoozedUntil ?? -.infinity }
        }

        /// Returns the time of a repeat, which is at least the first second after the quiet time of the previous
        /// alert.
        func time(ofRepeat time: Double, quiet: Double) -> Double {
            lastAlert.map { $0 <= time ? max(time, ($0 + quiet).rounded(.down) + 1) : time } ?? time
        }

        /// The end of a snooze is not a repeat if there is an open alert time before it.
        func quiet(_ settings: Settings) -> Double {
            guard let end = snoozedUntil else { return settings.quietBeforeNag }
            return alertTimes(settings).contains { !$0.isOver && $0.time <= end } ? 0 : settings.quiet
        }

        func nextNag(_ settings: Settings) -> Double? {
            if let oldNag { return settings.nag == nil ? nil : oldNag }
            return nagAhead(settings).map { time(ofRepeat: $0, quiet: settings.quietBeforeNag) }
        }

        private func nagAhead(_ settings: Settings) -> Double? {
            guard let due, let interval = settings.nag else { return nil }
            let moment = nagsAfter
            var nag = due + interval
            if moment > nag { nag += ((moment - nag) / interval).rounded(.down) * interval }
            while nag <= moment { nag += interval }
            return nag
        }

        func hasEarlyAlert(at now: Double, _ settings: Settings) -> Bool {
            alertTimes(settings).contains { $0.isOver && $0.time > now }
        }

        /// Drops the records of alert times in the future, which a clock that was ahead has sent.
        mutating func forgetAlertsSentEarly(at now: Double, _ settings: Settings) {
            guard let due, hasEarlyAlert(at: now, settings) else { return }
            if leads.isEmpty { alertedUpTo = alertTimes(settings).map(\.time).filter { $0 <= now }.max() }
            for lead in leads where sent[lead] == due && due - Double(lead) > now { sent[lead] = nil }
        }

        mutating func endNags(at moment: Double) {
            nagsAfter = moment
            oldNag = nil
        }

        mutating func recordAlert(for due: Double?, upTo moment: Double, _ settings: Settings) {
            if let end = snoozedUntil, end <= moment { snoozedUntil = nil }
            guard let due else { return }
            if leads.isEmpty, due == self.due,
                let last = alertTimes(settings).filter({ $0.time <= moment && !$0.isOver }).map(\.time).max()
            {
                alertedUpTo = last
            }
            // An alert already recorded for the current due time stays recorded.
            for lead in leads
            where due - Double(lead) <= moment && (self.due == nil || sent[lead] != self.due) {
                sent[lead] = due
            }
        }
    }

    /// An alert for one item.
    struct SentAlert: Hashable, CustomStringConvertible {
        let id: Int64
        let kind: String

        var description: String { "\(id) \(kind)" }
    }

    /// A change of items, with the state of each before and after it.
    typealias Change = [Int64: (before: Item?, after: Item?)]

    var settings = Settings()
    var items: [Int64: Item] = [:]
    var mutedCategories: Set<Int64> = []
    var changes: [Change] = []
    var undone: [Change] = []
    /// The current quiet period, in which alerts are delayed.
    private var quiet: (since: Double, until: Double)?
    /// The last quiet period that ended, possibly by a clock that was ahead.
    private var quietBefore: (since: Double, until: Double)?
    /// The time since which alerts may have been delayed that are still to be sent.
    var delayedSince: Double?
    /// Alerts sent by a clock that was ahead: their due time and the time at which they were sent.
    private var revoked: [Int64: (due: Double?, moment: Double)] = [:]
    /// Items with a pending alert.
    var idsBeingSent: Set<Int64> = []

    // MARK: - Changes by the user

    /// - Parameter hasOtherAlarms: whether the lead times were set, even to the same values.
    mutating func set(
        _ id: Int64, _ item: Item?, at now: Double, hasOtherAlarms: Bool = false, isReplay: Bool = false
    ) {
        guard var new = item else {
            items[id] = nil
            return
        }
        let old = items[id]
        let isMoved = old?.due != new.due
        if new.isCompleted || (old != nil && isMoved && old?.snoozedUntil == new.snoozedUntil) {
            new.snoozedUntil = nil
        }
        let isReopened = old?.isCompleted == true && !new.isCompleted
        if old != nil, isMoved { new.alertedUpTo = nil }
        if !isReplay, isReopened || (old != nil && hasOtherAlarms) {
            (new.sent, new.alertedUpTo) = ([:], nil)
        }
        let isSet =
            old == nil || hasOtherAlarms || isMoved || old?.isCompleted != new.isCompleted
            || old?.isMuted != new.isMuted
        let isRepeatSet = old?.snoozedUntil != new.snoozedUntil
        // An undo repeats no alert that was sent before it.
        if isReplay, isSet || isRepeatSet, let last = new.lastAlert, last <= now {
            new.recordAlert(for: new.due, upTo: last, settings)
        }
        if isSet { new.forgetAlertsSentEarly(at: now, settings) }
        if isSet, let due = new.due, due < now - 60 {
            if new.leads.isEmpty { new.alertedUpTo = due }
            for lead in new.leads { new.sent[lead] = due }
        }
        if isSet || isRepeatSet { new.endNags(at: now) }
        items[id] = new
    }

    /// Records a change that can be undone. `before` contains the items before it.
    mutating func note(_ before: [Int64: Item]) {
        var change: Change = [:]
        for id in Set(before.keys).union(items.keys) where before[id] != items[id] {
            change[id] = (before[id], items[id])
        }
        // A change without an effect cannot be undone.
        if change.isEmpty { return }
        undone = []
        changes.append(change)
    }

    /// Replaces the items by those on the other side of a change. This takes back no sent alert, and a restored item
    /// or lead time has its last alerts.
    ///
    /// - Returns: the change, with the alerts that were sent since.
    mutating func replay(_ change: Change, isUndo: Bool, at now: Double) -> Change {
        var change = change
        for (id, sides) in change {
            let (from, to) = isUndo ? (sides.after, sides.before) : (sides.before, sides.after)
            guard var wanted = to else {
                change[id] = isUndo ? (sides.before, items[id]) : (items[id], sides.after)
                items[id] = nil
                continue
            }
            if let end = wanted.snoozedUntil, end <= now { wanted.snoozedUntil = nil }
            if let present = items[id] {
                if from?.leads == to?.leads {
                    wanted.sent = present.sent
                } else if isUndo {
                    change[id]?.after?.sent = present.sent
                } else {
                    change[id]?.before?.sent = present.sent
                }
                wanted.alertedUpTo = present.alertedUpTo
                wanted.lastAlert = present.lastAlert
                wanted.nagsAfter = present.nagsAfter
                wanted.oldNag = present.oldNag
            }
            set(
                id, wanted, at: now, hasOtherAlarms: from != nil && from?.leads != to?.leads, isReplay: true)
        }
        return change
    }

    /// Computes all nags again. They are in the future, except for one that is due and was not sent yet.
    private mutating func renewNags(at now: Double, _ settings: Settings) {
        for (id, item) in items where !item.isSilent {
            let nag = item.snoozedUntil == nil ? item.nextNag(self.settings) : nil
            items[id]?.endNags(at: now)
            if let nag, nag <= now, settings.nag != nil { items[id]?.oldNag = nag }
        }
    }

    mutating func clockWasSetBack(at now: Double) {
        renewNags(at: now, settings)
        forgetAlertsSentEarly(at: now)
        takeBackTheEndOfQuiet(at: now)
    }

    /// Drops the records of alerts that were sent too early, so that they are sent at their time.
    private mutating func forgetAlertsSentEarly(at now: Double) {
        for (id, item) in items where !item.isSilent {
            guard item.hasEarlyAlert(at: now, settings) else { continue }
            items[id]?.forgetAlertsSentEarly(at: now, settings)
            if let moment = item.lastAlert, moment > now { revoked[id] = (item.due, moment) }
        }
    }

    /// Restores a dropped record if the clock was right before it was set back. At the alert time itself, and for a
    /// minute after it, that is not known.
    private mutating func countAgain(at now: Double) {
        for (id, alertState) in revoked where alertState.moment <= now - 60 {
            revoked[id] = nil
            sent(id, due: alertState.due, at: alertState.moment, recordedAt: now)
        }
    }

    /// Drops everything that is not stored. The clock may have been set back while the daemon did not run.
    mutating func start(at now: Double) {
        delayedSince = nil
        revoked = [:]
        let limit = now + 60
        let isEarly = items.values.contains { item in
            guard !item.isSilent, let due = item.due, due > now else { return false }
            return item.lastAlert.map { $0 > limit } ?? false
                || item.alertTimes(settings).contains { $0.isOver && $0.time > limit }
        }
        if isEarly || quiet == nil && quietBefore.map({ limit < $0.until }) ?? false {
            clockWasSetBack(at: now)
        } else if settings.nag != nil {
            renewNags(at: now, settings)
        }
    }

    /// Applies other settings. Nags are in the future, except for those that are due.
    mutating func use(_ settings: Settings, at now: Double) {
        let arePointsOthers =
            self.settings.leads != settings.leads || self.settings.nag != settings.nag
            || self.settings.quiet != settings.quiet
        if arePointsOthers { renewNags(at: now, settings) }
        self.settings = settings
    }

    // MARK: - Quiet periods

    mutating func beQuiet(from now: Double, until end: Double?) {
        quietBefore = nil
        guard let end else {
            quiet = nil
            return
        }
        // A longer quiet period delays alerts from the start of the shorter one.
        let isQuiet = quiet.map { now < $0.until } ?? false
        quiet = (isQuiet ? quiet?.since ?? now : now, end)
    }

    /// Updates the quiet period, at each minute check.
    mutating func recordQuiet(at now: Double) {
        guard let (since, end) = quiet else { return }
        delayedSince = min(delayedSince ?? since, since)
        if now >= end { (quiet, quietBefore) = (nil, quiet) }
    }

    /// Restores the quiet period after the clock was set back.
    private mutating func takeBackTheEndOfQuiet(at now: Double) {
        guard quiet == nil, let before = quietBefore, now < before.until else { return }
        (quiet, quietBefore) = (before, nil)
    }

    // MARK: - Checks

    /// Returns the alerts of a check. An alert that is skipped is recorded immediately.
    mutating func check(at now: Double) -> [SentAlert] {
        countAgain(at: now)
        var alerts: [SentAlert] = []
        let isQuiet = quiet.map { now < $0.until } ?? false
        defer { if !isQuiet { delayedSince = nil } }
        for (id, item) in items where !item.isSilent && !idsBeingSent.contains(id) {
            if isQuiet {
                guard let limit = settings.breakThrough, item.priority > 0, item.priority <= limit else {
                    continue
                }
            }
            let isHere = item.openAlertTimes(settings).contains { $0 <= now }
            let isTooOld =
                item.due.map { $0 < (isQuiet ? now : delayedSince ?? now) - settings.catchUp } ?? false
            let kind: String?
            if isHere, let due = item.due, !isTooOld || item.snoozedUntil == nil {
                if due >= now - 60 {
                    kind = "due-soon"
                } else if isTooOld {
                    kind = nil
                } else {
                    kind = item.alertTimes(settings).contains(where: \.isOver) ? "overdue" : "missed"
                }
            } else if let time = repeatTime(of: item), time <= now {
                let quiet = item.quiet(settings)
                if let last = item.lastAlert, last <= now, last >= now - quiet { continue }
                kind = item.snoozedUntil == nil ? "overdue" : "snoozed"
            } else {
                continue
            }
            let isMuted = item.category.map { mutedCategories.contains($0) } ?? false
            if let kind, !isMuted {
                alerts.append(SentAlert(id: id, kind: kind))
            } else {
                items[id]?.recordAlert(for: item.due, upTo: now, settings)
                items[id]?.endNags(at: now)
            }
        }
        return alerts.sorted { left, right in
            let dues = (items[left.id]?.due ?? .infinity, items[right.id]?.due ?? .infinity)
            return dues.0 == dues.1 ? left.id < right.id : dues.0 < dues.1
        }
    }

    /// Records an alert of a check at `moment` for the due time `due`. It is recorded at `now`.
    mutating func sent(_ id: Int64, due: Double?, at moment: Double, recordedAt now: Double) {
        revoked[id] = nil
        items[id]?.recordAlert(for: due, upTo: moment, settings)
        items[id]?.lastAlert = moment
        items[id]?.endNags(at: now)
    }

    /// Returns the time of the item's next alert, without regard to quiet periods.
    func next(of item: Item) -> Double? {
        if item.isSilent { return nil }
        return (item.openAlertTimes(settings) + [repeatTime(of: item)].compactMap(\.self)).min()
    }

    private func repeatTime(of item: Item) -> Double? {
        item.snoozedUntil.map { item.time(ofRepeat: $0, quiet: item.quiet(settings)) }
            ?? item.nextNag(settings)
    }
}
