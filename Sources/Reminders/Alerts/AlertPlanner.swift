package import CivilTime

/// The rule for the alerts of an item: state and time in, the action and the new state out.
///
/// An item has alert times: its due time less each of its lead times. One alert is sent for each, at the first check at or
/// after it, and one alert for all that have passed by then. An alert is repeated at the end of a snooze and, after the due
/// time, at each nag interval. The quiet time delays repeats only. A snooze takes the place of the alert times up to its
/// end, and its end is one of them then: the quiet time does not delay it.
package struct AlertPlanner: Hashable, Sendable {
    /// An item this many seconds past due is not late yet: one minute passes between two looks.
    package static let grace = 60.0

    package var settings: AlertSettings

    package init(settings: AlertSettings = AlertSettings()) {
        self.settings = settings
    }

    /// The action of a check for one item.
    package enum Action: Hashable, Sendable {
        /// Nothing yet.
        case wait
        case tell(Alert.Kind)
        /// Its points have gone by, and nobody is to be told: the category is muted, or they were not wanted.
        case pass
        /// It fell due longer ago than anybody wants to hear of.
        case giveUp
    }

    /// When the next alert of an item is sent, or `nil` if there is none to come. Nags are after `now`.
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

    /// How long the alert before it delays a repeat. A snooze that takes the place of an alert time delays the alert of that
    /// time already.
    private func quietTime(of state: AlertState) -> TimeSpan {
        guard let end = state.snoozedUntil else { return settings.quietBeforeNag }
        guard let due = state.due else { return settings.quiet }
        let takesPlace = state.leads.contains { !state.isOver($0) && due - $0.offset <= end }
        return takesPlace ? .seconds(0) : settings.quiet
    }

    /// The first alert time that is still to come or was missed. Those up to the end of a snooze do not count.
    private func firstAlertTime(of state: AlertState) -> Timestamp? {
        guard let due = state.due else { return nil }
        var first: Timestamp?
        for lead in state.leads where !state.isOver(lead) {
            let time = due - lead.offset
            if let end = state.snoozedUntil, time <= end { continue }
            if first.map({ time < $0 }) ?? true { first = time }
        }
        return first
    }

    /// The time of a repeat, or the first second after the quiet time if that is later. A last alert after the repeat was
    /// sent before the clock was set back.
    private static func time(
        _ time: Timestamp, after quiet: TimeSpan, since lastAlert: Timestamp?
    ) -> Timestamp {
        guard let lastAlert, lastAlert <= time else { return time }
        let end = lastAlert + quiet.seconds
        return max(time, Timestamp(secondsSince1970: end.secondsSince1970.rounded(.down) + 1))
    }

    /// The same for an item of which nothing has changed but the settings or the clock: a nag whose time has come stays.
    func renewedNext(of state: AlertState, at now: Timestamp) -> Timestamp? {
        let next = next(of: state, after: now)
        guard let next, let due = state.due, let pending = state.next, settings.nag != nil,
            state.snoozedUntil == nil, pending > due, pending <= now
        else { return next }
        return min(next, pending)
    }

    /// Whole nag intervals after the due time, so that it does not matter when the daemon looked.
    private func nag(after now: Timestamp, due: Timestamp) -> Timestamp? {
        guard let interval = settings.nag?.seconds, interval > 0 else { return nil }
        let passed = max(0, ((now - due) / interval).rounded(.down))
        return due + (passed + 1) * interval
    }

    /// Returns the action at `now`.
    ///
    /// - Parameter heldSince: since when alerts were held back, when that has just ended: what became too old while
    ///   it was held is told all the same.
    package func action(
        for state: AlertState, at now: Timestamp, heldSince: Timestamp? = nil
    ) -> Action {
        guard !state.isSilent, let next = state.next, next <= now else { return .wait }
        let action = unmutedAction(for: state, at: now, heldSince: heldSince)
        return state.isCategoryMuted && action != .wait ? .pass : action
    }

    private func unmutedAction(
        for state: AlertState, at now: Timestamp, heldSince: Timestamp?
    ) -> Action {
        guard let due = state.due, let first = firstAlertTime(of: state), first <= now else {
            return repeatAction(for: state, at: now)
        }
        if due >= now - Self.grace { return .tell(.dueSoon) }
        if due < (heldSince ?? now) - settings.catchUp.seconds {
            return state.snoozedUntil == nil ? .giveUp : repeatAction(for: state, at: now)
        }
        return .tell(state.leads.contains(where: state.isOver) ? .overdue : .missed)
    }

    /// The action at a time that is no alert time of the item.
    private func repeatAction(for state: AlertState, at now: Timestamp) -> Action {
        let quiet = quietTime(of: state)
        // A last alert in the future was sent before the clock was set back.
        if let last = state.lastAlert, last <= now, last >= now - quiet.seconds { return .wait }
        if let end = state.snoozedUntil { return end <= now ? .tell(.snoozed) : .pass }
        guard let due = state.due, let next = state.next else { return .pass }
        return settings.nag != nil && next > due ? .tell(.overdue) : .pass
    }

    /// The state after what was to be told at `moment` of the occurrence due at `due` was told, or passed over.
    package func state(
        _ state: AlertState, passing moment: Timestamp, due: Timestamp?, isTold: Bool
    ) -> AlertState {
        var state = state
        state.pass(moment, due: due)
        if isTold { state.lastAlert = moment }
        state.next = next(of: state, after: moment)
        return state
    }
}
