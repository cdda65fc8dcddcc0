package import CivilTime

/// The rule that decides when the alerts of an item are sent.
///
/// An item has an alert time for each of its lead times: the due time minus the lead time. Its alarms have alert times of
/// their own. The first check at or after an alert time sends the alert. If several alert times have passed by then, it
/// sends one alert for all of them.
///
/// An alert is repeated at the end of a snooze and, after the due time, at each nag interval. The quiet time delays
/// repeats, and the alert times after the due time. A snooze replaces the alert times up to its end. Its end then counts as an alert time, which the quiet
/// time does not delay.
package struct AlertPlanner: Hashable, Sendable {
    /// The number of seconds after its due time for which an item is not late, because one minute passes between two
    /// checks.
    package static let grace = 60.0

    package var settings: AlertSettings

    package init(settings: AlertSettings = AlertSettings()) {
        self.settings = settings
    }

    /// The action of a check for one item.
    package enum Action: Hashable, Sendable {
        /// No alert is due yet.
        case wait
        case send(Alert.Kind)
        /// No alert is sent, and its alert time is recorded as over.
        ///
        /// Either the category is muted, or no repeat is due.
        case skip
        /// No alert is sent because the item has been due for longer than the catch-up time.
        case giveUp
    }

    /// Returns the time of the item's next alert, or `nil` if there is none.
    ///
    /// A nag is always after `now`.
    package func next(of state: AlertState, after now: Timestamp) -> Timestamp? {
        if state.isSilent { return nil }
        let alertTime = firstAlertTime(of: state)
        let repeatTime: Timestamp?
        if let end = state.snoozedUntil {
            repeatTime = Self.time(end, after: quietTime(of: state), since: state.lastAlert)
        } else {
            repeatTime = state.due.flatMap { nag(after: now, due: $0) }.map {
                Self.time($0, after: settings.quietBeforeNag, since: state.lastAlert)
            }
        }
        guard let alertTime, let repeatTime else { return alertTime ?? repeatTime }
        return min(alertTime, repeatTime)
    }

    /// Returns how long a repeat is delayed after the alert before it.
    ///
    /// The end of a snooze that replaces an alert time is not delayed again.
    private func quietTime(of state: AlertState) -> TimeSpan {
        guard let end = state.snoozedUntil else { return settings.quietBeforeNag }
        let takesPlace =
            pendingLeads(of: state).contains { $0.time <= end }
            || pendingAlarmTimes(of: state).contains { $0 <= end }
        return takesPlace ? .seconds(0) : settings.quiet
    }

    /// Returns the first alert time that is in the future or was missed.
    ///
    /// Alert times up to the end of a snooze do not count.
    private func firstAlertTime(of state: AlertState) -> Timestamp? {
        var first: Timestamp?
        func take(_ time: Timestamp) {
            if let end = state.snoozedUntil, time <= end { return }
            let isBeforeDue = state.due.map { time <= $0 } ?? false
            let time =
                isBeforeDue
                ? time : Self.time(time, after: settings.quietBeforeNag, since: state.lastAlert)
            first = first.map { min($0, time) } ?? time
        }
        // A check calls this for each item, so it makes no arrays.
        if let due = state.due {
            for lead in state.leads where !state.isOver(lead) { take(state.alertTime(of: lead, due: due)) }
        }
        for alarm in state.alarms where !state.isOver(alarm) {
            if let time = state.alertTime(of: alarm) { take(time) }
        }
        return first
    }

    /// Returns the lead times with alerts that are in the future or were missed, and the times of these alerts.
    private func pendingLeads(of state: AlertState) -> [(lead: AlertState.Lead, time: Timestamp)] {
        guard let due = state.due else { return [] }
        return state.leads.compactMap { state.isOver($0) ? nil : ($0, state.alertTime(of: $0, due: due)) }
    }

    /// Returns the times of the alarms that are in the future or were missed.
    private func pendingAlarmTimes(of state: AlertState) -> [Timestamp] {
        state.alarms.compactMap { state.isOver($0) ? nil : state.alertTime(of: $0) }
    }

    /// Returns `time`, or the first second after the quiet time if that is later.
    ///
    /// If `lastAlert` is after `time`, it was sent before the clock was set back, and does not delay the repeat.
    private static func time(
        _ time: Timestamp, after quiet: TimeSpan, since lastAlert: Timestamp?
    ) -> Timestamp {
        guard let lastAlert, lastAlert <= time else { return time }
        let end = lastAlert + quiet.seconds
        return max(time, Timestamp(secondsSince1970: end.secondsSince1970.rounded(.down) + 1))
    }

    /// Returns the next alert time of an item after only the settings or the clock have changed.
    ///
    /// A nag that is already due stays due.
    func renewedNext(of state: AlertState, at now: Timestamp) -> Timestamp? {
        let next = next(of: state, after: now)
        guard let next, let due = state.due, let pending = state.next, settings.nag != nil,
            state.snoozedUntil == nil, pending > due, pending <= now
        else { return next }
        return min(next, pending)
    }

    /// Returns the next nag.
    ///
    /// Nags are whole intervals after the due time, so they do not depend on when the checks run.
    private func nag(after now: Timestamp, due: Timestamp) -> Timestamp? {
        guard let interval = settings.nag?.seconds, interval > 0 else { return nil }
        let intervals = max(0, ((now - due) / interval).rounded(.down))
        return due + (intervals + 1) * interval
    }

    /// Returns the action at `now`.
    ///
    /// - Parameter delayedSince: the start of a quiet period that has just ended, or `nil`. The age of an item is then
    ///   measured at this time, so an item that became too old during the quiet period still gets its alert.
    package func action(
        for state: AlertState, at now: Timestamp, delayedSince: Timestamp? = nil
    ) -> Action {
        guard !state.isSilent, let next = state.next, next <= now else { return .wait }
        let action = unmutedAction(for: state, at: now, delayedSince: delayedSince)
        return state.isCategoryMuted && action != .wait ? .skip : action
    }

    private func unmutedAction(
        for state: AlertState, at now: Timestamp, delayedSince: Timestamp?
    ) -> Action {
        guard let first = firstAlertTime(of: state), first <= now else {
            return repeatAction(for: state, at: now)
        }
        let oldest = (delayedSince ?? now) - settings.catchUp.seconds
        let isPending = { (time: Timestamp) in time <= now && state.snoozedUntil.map { time > $0 } ?? true }
        let leads = pendingLeads(of: state).filter { isPending($0.time) }
        if let due = state.due, let last = leads.map(\.time).max(), max(due, last) >= oldest {
            if due >= now - Self.grace { return .send(.dueSoon) }
            // An alert after the due time is no missed one.
            let isMissed =
                !state.leads.contains(where: state.isOver) && leads.contains { $0.lead.offset >= 0 }
            return .send(isMissed ? .missed : .overdue)
        }
        if pendingAlarmTimes(of: state).contains(where: { isPending($0) && $0 >= oldest }) {
            return .send(.reminder)
        }
        return state.snoozedUntil == nil ? .giveUp : repeatAction(for: state, at: now)
    }

    /// Returns the action at a time that is not an alert time of the item.
    private func repeatAction(for state: AlertState, at now: Timestamp) -> Action {
        let quiet = quietTime(of: state)
        // A last alert in the future was sent before the clock was set back.
        if let last = state.lastAlert, last <= now, last >= now - quiet.seconds { return .wait }
        if let end = state.snoozedUntil { return end <= now ? .send(.snoozed) : .skip }
        guard let due = state.due, let next = state.next else { return .skip }
        return settings.nag != nil && next > due ? .send(.overdue) : .skip
    }

    /// Returns the state after the alerts up to `moment` of the occurrence due at `due` were sent or skipped.
    package func state(
        _ state: AlertState, afterAlertsUpTo moment: Timestamp, due: Timestamp?, isSent: Bool
    ) -> AlertState {
        var state = state
        state.endAlertTimes(upTo: moment, due: due)
        if isSent { state.lastAlert = moment }
        state.next = next(of: state, after: moment)
        return state
    }
}
