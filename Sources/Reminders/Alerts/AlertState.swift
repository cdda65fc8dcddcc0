package import CivilTime

/// What the rule needs to know of one item, apart from where it is stored.
package struct AlertState: Hashable, Sendable {
    /// One alert before the due time.
    package struct Lead: Hashable, Sendable {
        /// Seconds before the due time.
        package var offset: Double
        /// The due time for which it was given, or is not wanted any more.
        package var toldForDue: Timestamp?

        package init(offset: Double, toldForDue: Timestamp? = nil) {
            self.offset = offset
            self.toldForDue = toldForDue
        }
    }

    package var due: Timestamp?
    /// The item's own, or the default one.
    package var leads: [Lead]
    package var snoozedUntil: Timestamp?
    package var lastAlert: Timestamp?
    /// Completed or muted: there is nothing to tell, whatever the time.
    package var isSilent = false
    /// Its points go by without anybody being told.
    package var isCategoryMuted = false
    /// The earliest point that nobody was told of.
    package var next: Timestamp?

    package init(due: Timestamp?, leads: [Lead]) {
        self.due = due
        self.leads = leads
    }

    /// The leads whose point is not told for the present due time.
    var untoldLeads: LazyFilterSequence<[Lead]> {
        leads.lazy.filter { $0.toldForDue != due }
    }

    /// Takes note that what was to be told of the occurrence due at `due`, up to `moment`, was told.
    ///
    /// When the item has another due time by now, that one is still to be told, unless a lead knows better.
    package mutating func pass(_ moment: Timestamp, due: Timestamp?) {
        if let end = snoozedUntil, end <= moment { snoozedUntil = nil }
        guard let due else { return }
        for index in leads.indices where leads[index].toldForDue != self.due {
            if due - leads[index].offset <= moment { leads[index].toldForDue = due }
        }
    }

    /// Takes note that a person has just set how the item stands: what is past by now they know.
    package mutating func knowWhatIsPast(at now: Timestamp) {
        guard let due, due < now - AlertPlanner.grace else { return }
        for index in leads.indices { leads[index].toldForDue = due }
    }

    /// Takes note that the clock was set back to `now`: what was told of a point that lies ahead again was told too early,
    /// and is to be told at its time. False when there is no such point.
    mutating func forgetWhatWasToldEarly(at now: Timestamp) -> Bool {
        guard let due else { return false }
        let isEarly = { (lead: Lead) in lead.toldForDue == due && due - lead.offset > now }
        guard leads.contains(where: isEarly) else { return false }
        for index in leads.indices where isEarly(leads[index]) { leads[index].toldForDue = nil }
        return true
    }

    /// Everything is to be told anew.
    package mutating func forgetWhatWasTold() {
        for index in leads.indices { leads[index].toldForDue = nil }
    }
}
