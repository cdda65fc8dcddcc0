/// The rule of alerts once more, slow and simple: every look goes through all items and all of their points.
///
/// It knows nothing of stored points, indexes, rows and caches, which is what the daemon is compared with it for. Moments
/// are seconds since 1970.
struct WalkModel {
    struct Settings: Equatable {
        var lead = 300.0
        var quiet = 300.0
        var catchUp = 30 * 86_400.0
        var nag: Double?
        var breakThrough: Int?
    }

    struct Item: Equatable {
        var name = ""
        var due: Double?
        /// Its own leads; with none it follows the default one.
        var leads: Set<Int> = []
        var priority = 0
        var isCompleted = false
        var isMuted = false
        var category: Int64?
        var snoozedUntil: Double?

        /// For which due time each lead was told; the default one is -1.
        var told: [Int: Double] = [:]
        var lastAlert: Double?
        /// Nags at or before this moment are over.
        var nagsAfter = 0.0
        /// A nag of other settings that has come and was not told yet.
        var oldNag: Double?

        var isSilent: Bool { isCompleted || isMuted }

        /// The points before its due time that nobody was told of.
        func untoldLeads(_ settings: Settings) -> [Double] {
            guard let due else { return [] }
            if leads.isEmpty { return told[-1] == due ? [] : [due - settings.lead] }
            return leads.filter { told[$0] != due }.map { due - Double($0) }
        }

        func nextNag(_ settings: Settings) -> Double? {
            guard let due, let interval = settings.nag else { return nil }
            if let oldNag { return oldNag }
            let moment = nagsAfter
            var nag = due + interval
            if moment > nag { nag += ((moment - nag) / interval).rounded(.down) * interval }
            while nag <= moment { nag += interval }
            return nag
        }

        mutating func endNags(at moment: Double) {
            nagsAfter = moment
            oldNag = nil
        }

        mutating func tell(for due: Double?, upTo moment: Double, _ settings: Settings) {
            if let end = snoozedUntil, end <= moment { snoozedUntil = nil }
            guard let due else { return }
            let all =
                leads.isEmpty
                ? [-1: settings.lead] : Dictionary(uniqueKeysWithValues: leads.map { ($0, Double($0)) })
            // What counts as told for the due time that it has by now stays so.
            for (lead, offset) in all
            where due - offset <= moment && (self.due == nil || told[lead] != self.due) {
                told[lead] = due
            }
        }
    }

    /// What is told of one item.
    struct Telling: Hashable, CustomStringConvertible {
        let id: Int64
        let kind: String

        var description: String { "\(id) \(kind)" }
    }

    /// What a change did to one item: as it was and as it became.
    typealias Change = [Int64: (before: Item?, after: Item?)]

    var settings = Settings()
    var items: [Int64: Item] = [:]
    var mutedCategories: Set<Int64> = []
    var changes: [Change] = []
    var undone: [Change] = []
    /// Alerts are held back until then, since then.
    private var quiet: (since: Double, until: Double)?
    /// The last time of quiet that was over, perhaps by a clock that was ahead.
    private var quietBefore: (since: Double, until: Double)?
    /// Since when something may have been held back that is still to be told.
    var heldSince: Double?
    /// What was told by a clock that was ahead: for which due time, and when.
    private var takenBack: [Int64: (due: Double?, moment: Double)] = [:]
    /// What is on its way to a person.
    var underWay: Set<Int64> = []

    // MARK: - What a person does

    /// - Parameter hasOtherAlarms: the leads were set, if only to what they were.
    mutating func set(_ id: Int64, _ item: Item?, at now: Double, hasOtherAlarms: Bool = false) {
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
        if isReopened || (old != nil && hasOtherAlarms) { new.told = [:] }
        let isSet =
            old == nil || hasOtherAlarms || isMoved || old?.isCompleted != new.isCompleted
            || old?.isMuted != new.isMuted
        if isSet, let due = new.due, due < now - 60 {
            for lead in new.leads.isEmpty ? [-1] : new.leads { new.told[lead] = due }
        }
        if isSet || old?.snoozedUntil != new.snoozedUntil { new.endNags(at: now) }
        items[id] = new
    }

    /// Notes a change that can be undone; `before` are the items before it.
    mutating func note(_ before: [Int64: Item]) {
        var change: Change = [:]
        for id in Set(before.keys).union(items.keys) where before[id] != items[id] {
            change[id] = (before[id], items[id])
        }
        // What changes nothing cannot be undone.
        if change.isEmpty { return }
        undone = []
        changes.append(change)
    }

    /// Goes to the other side of a change. Of what was told it takes back nothing, but an item that comes back has what it
    /// had.
    mutating func replay(_ change: Change, isUndo: Bool, at now: Double) {
        for (id, sides) in change {
            let (from, to) = isUndo ? (sides.after, sides.before) : (sides.before, sides.after)
            guard var wanted = to else {
                items[id] = nil
                continue
            }
            if let end = wanted.snoozedUntil, end <= now { wanted.snoozedUntil = nil }
            if let present = items[id] {
                wanted.told = present.told
                wanted.lastAlert = present.lastAlert
                wanted.nagsAfter = present.nagsAfter
                wanted.oldNag = present.oldNag
            }
            set(id, wanted, at: now, hasOtherAlarms: from != nil && from?.leads != to?.leads)
        }
    }

    /// The clock was set back: nags lie nearer.
    mutating func setNagsBack(to now: Double) {
        for (id, item) in items {
            items[id]?.nagsAfter = min(item.nagsAfter, now)
            if let nag = item.oldNag, nag > now { items[id]?.oldNag = nil }
        }
    }

    /// The clock was set back while the daemon ran: what was told too early is to be told at its time.
    mutating func takeBackWhatWasToldEarly(at now: Double) {
        for (id, item) in items where !item.isSilent {
            guard let due = item.due else { continue }
            let offsets = item.leads.isEmpty ? [-1] : item.leads
            let early = offsets.filter { lead in
                item.told[lead] == due && due - (lead == -1 ? settings.lead : Double(lead)) > now
            }
            for lead in early { items[id]?.told[lead] = nil }
            if !early.isEmpty, let moment = item.lastAlert, moment > now { takenBack[id] = (due, moment) }
        }
    }

    /// The clock was right before it was set back.
    private mutating func countAgain(at now: Double) {
        for (id, telling) in takenBack where telling.moment <= now {
            takenBack[id] = nil
            told(id, due: telling.due, at: telling.moment, recordedAt: now)
        }
    }

    /// What was not written down is forgotten at a start.
    mutating func forgetAtStart() {
        heldSince = nil
        takenBack = [:]
        quietBefore = nil
    }

    /// Other settings are in force: nags lie ahead, but for those whose time has come.
    mutating func use(_ settings: Settings, at now: Double) {
        let arePointsOthers = self.settings.lead != settings.lead || self.settings.nag != settings.nag
        for (id, item) in items where arePointsOthers && !item.isSilent {
            let nag = item.snoozedUntil == nil ? item.nextNag(self.settings) : nil
            items[id]?.endNags(at: now)
            if let nag, nag <= now, settings.nag != nil { items[id]?.oldNag = nag }
        }
        self.settings = settings
    }

    // MARK: - Quiet

    mutating func beQuiet(from now: Double, until end: Double?) {
        quietBefore = nil
        guard let end else {
            quiet = nil
            return
        }
        // Who prolongs it hears of all of it at its end.
        let isQuiet = quiet.map { now < $0.until } ?? false
        quiet = (isQuiet ? quiet?.since ?? now : now, end)
    }

    /// At each minute.
    mutating func noteQuiet(at now: Double) {
        guard let (since, end) = quiet else { return }
        heldSince = min(heldSince ?? since, since)
        if now >= end { (quiet, quietBefore) = (nil, quiet) }
    }

    /// The clock was set back.
    mutating func takeBackTheEndOfQuiet(at now: Double) {
        guard quiet == nil, let before = quietBefore, now < before.until else { return }
        (quiet, quietBefore) = (before, nil)
    }

    // MARK: - Looking

    /// What a look finds to tell. What is passed over in silence is noted at once.
    mutating func look(at now: Double) -> [Telling] {
        countAgain(at: now)
        var tellings: [Telling] = []
        let isQuiet = quiet.map { now < $0.until } ?? false
        defer { if !isQuiet { heldSince = nil } }
        for (id, item) in items where !item.isSilent && !underWay.contains(id) {
            if isQuiet {
                guard let limit = settings.breakThrough, item.priority > 0, item.priority <= limit else {
                    continue
                }
            }
            if let last = item.lastAlert, last <= now, last >= now - settings.quiet { continue }
            let isHere = item.untoldLeads(settings).contains { $0 <= now }
            let nag = item.nextNag(settings)
            let isNag = nag.map { $0 <= now } ?? false
            let kind: String?
            if let end = item.snoozedUntil {
                if end > now { continue }
                kind = "snoozed"
            } else if let due = item.due, isHere || isNag {
                let isLate = due < now - 60
                if isHere, !isLate {
                    kind = "due-soon"
                } else if isHere, due < (isQuiet ? now : heldSince ?? now) - settings.catchUp {
                    kind = nil
                } else if isHere {
                    let leads = item.leads.isEmpty ? [-1] : item.leads
                    kind = leads.contains { item.told[$0] == due } ? "overdue" : "missed"
                } else {
                    kind = "overdue"
                }
            } else {
                continue
            }
            let isMuted = item.category.map { mutedCategories.contains($0) } ?? false
            if let kind, !isMuted {
                tellings.append(Telling(id: id, kind: kind))
            } else {
                items[id]?.tell(for: item.due, upTo: now, settings)
                items[id]?.endNags(at: now)
            }
        }
        return tellings.sorted { left, right in
            let dues = (items[left.id]?.due ?? .infinity, items[right.id]?.due ?? .infinity)
            return dues.0 == dues.1 ? left.id < right.id : dues.0 < dues.1
        }
    }

    /// An item was told at a look at `moment` that found it due at `due`, which is recorded at `now`.
    mutating func told(_ id: Int64, due: Double?, at moment: Double, recordedAt now: Double) {
        takenBack[id] = nil
        items[id]?.tell(for: due, upTo: moment, settings)
        items[id]?.lastAlert = moment
        items[id]?.endNags(at: now)
    }

    /// When the item is told next, as far as its points alone say.
    func next(of item: Item) -> Double? {
        if item.isSilent { return nil }
        if let end = item.snoozedUntil { return end }
        return (item.untoldLeads(settings) + [item.nextNag(settings)].compactMap(\.self))
            .min()
    }
}
