package import CivilTime

/// What the rule needs to know of one item, apart from where it is stored.
package struct AlertState: Hashable, Sendable {
    /// One alert before the due time.
    package struct Lead: Hashable, Sendable {
        /// Seconds before the due time.
        package var offset: Double
        /// The due time for which it was given, or is not wanted any more.
        package var toldForDue: Timestamp?
        /// Whether it is the default lead and not one of the item's own.
        package let isDefault: Bool

        package init(offset: Double, toldForDue: Timestamp? = nil, isDefault: Bool = false) {
            self.offset = offset
            self.toldForDue = toldForDue
            self.isDefault = isDefault
        }
    }

    package var due: Timestamp?
    /// The item's own, and the default one: which of them count says what they were told for.
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
    var untoldLeads: [Lead] {
        leads.filter { $0.toldForDue != due }
    }

    /// Takes note that what was to be told of the occurrence due at `due`, up to `moment`, was told.
    ///
    /// When the item has another due time by now, that one is still to be told.
    package mutating func pass(_ moment: Timestamp, due: Timestamp?) {
        if let end = snoozedUntil, end <= moment { snoozedUntil = nil }
        guard let due else { return }
        for index in leads.indices where due - leads[index].offset <= moment {
            leads[index].toldForDue = due
        }
    }

    /// Whether anybody was told of the present due time.
    var isTold: Bool {
        guard let due, let lastAlert else { return false }
        return leads.contains { $0.toldForDue == due && due - $0.offset <= lastAlert }
    }

    /// Takes note that a person has just set how the item stands: what is past by now they know.
    ///
    /// That holds for each lead of an item that is still to fall due. When all of its own are past the default lead
    /// takes their place: nobody is told in the moment of typing, and no item falls due unannounced.
    package mutating func knowWhatIsPast(at now: Timestamp) {
        guard let due else { return }
        let wasTold = isTold
        let hasOwn = leads.contains { !$0.isDefault }
        let isPast = { (moment: Timestamp) in moment < now - AlertPlanner.grace }
        for index in leads.indices
        where isPast(due) || !leads[index].isDefault && isPast(due - leads[index].offset) {
            leads[index].toldForDue = due
        }
        guard hasOwn, !isPast(due) else { return }
        let isOwnLeft = leads.contains { !$0.isDefault && $0.toldForDue != due }
        for index in leads.indices where leads[index].isDefault {
            leads[index].toldForDue = isOwnLeft || wasTold ? due : nil
        }
    }

    /// Everything is to be told anew.
    package mutating func forgetWhatWasTold() {
        for index in leads.indices { leads[index].toldForDue = nil }
    }
}
