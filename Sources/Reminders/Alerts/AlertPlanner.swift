package import CivilTime

/// The rule by which a person is told of an item: state and time in, what to do and the new state out.
///
/// An item has alert points: its due time less each of its leads, the end of a snooze, and after the due time every
/// nag. A point is told once, at the first look at or after it; points that go by together are told together. Two
/// alerts of an item are never nearer to one another than the quiet time.
package struct AlertPlanner: Hashable, Sendable {
    /// An item this many seconds past due is not late yet: one minute passes between two looks.
    package static let grace = 60.0

    package var settings: AlertSettings

    package init(settings: AlertSettings = AlertSettings()) {
        self.settings = settings
    }

    /// What a look finds to do for one item.
    package enum Action: Hashable, Sendable {
        /// Nothing yet.
        case wait
        case tell(Alert.Kind)
        /// Its points have gone by, and nobody is to be told: the category is muted, or they were not wanted.
        case pass
        /// It fell due longer ago than anybody wants to hear of.
        case giveUp
    }

    /// The earliest point that is not told; nags lie after `now`. Nil when there is none.
    package func next(of state: AlertState, after now: Timestamp) -> Timestamp? {
        if state.isSilent { return nil }
        if let end = state.snoozedUntil { return end }
        guard let due = state.due else { return nil }
        let leads = state.untoldLeads.map { due - $0.offset }.min()
        let nag = nag(after: now, due: due)
        guard let leads, let nag else { return leads ?? nag }
        return min(leads, nag)
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

    /// What to do at `now`.
    ///
    /// - Parameter heldSince: since when alerts were held back, when that has just ended: what became too old while
    ///   it was held is told all the same.
    package func action(
        for state: AlertState, at now: Timestamp, heldSince: Timestamp? = nil
    ) -> Action {
        guard !state.isSilent, let next = state.next, next <= now else { return .wait }
        if state.isCategoryMuted { return .pass }
        // A last alert that lies ahead was given before the clock was set back, and says nothing.
        if let last = state.lastAlert, last <= now, last >= now - settings.quiet.seconds { return .wait }
        if let end = state.snoozedUntil { return end <= now ? .tell(.snoozed) : .pass }
        guard let due = state.due else { return .pass }
        guard state.untoldLeads.contains(where: { due - $0.offset <= now }) else {
            // Of all points only a nag lies after the due time.
            return settings.nag != nil && next > due ? .tell(.overdue) : .pass
        }
        if due >= now - Self.grace { return .tell(.dueSoon) }
        if due < (heldSince ?? now) - settings.catchUp.seconds { return .giveUp }
        return .tell(state.untoldLeads.count == state.leads.count ? .missed : .overdue)
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
