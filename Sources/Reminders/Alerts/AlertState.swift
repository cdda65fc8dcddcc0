package import CivilTime

/// The facts about one item that `AlertPlanner` needs, independent of how they are stored.
package struct AlertState: Hashable, Sendable {
    /// A lead time and the record of its alert.
    package struct Lead: Hashable, Sendable {
        /// Seconds before the due time. It is negative after the due time.
        package var offset: Double
        /// The due time for which the alert was sent or skipped.
        ///
        /// For a default lead time, `alertedUpTo` records this instead.
        package var alertedDueDate: Timestamp?

        package init(offset: Double, alertedDueDate: Timestamp? = nil) {
            self.offset = offset
            self.alertedDueDate = alertedDueDate
        }
    }

    /// An alarm in addition to the lead times, and the record of its alert.
    package struct Alarm: Hashable, Sendable {
        package var time: AlarmTime
        /// The start for which the alert was sent or skipped or, for an alarm at a moment, that moment.
        package var alertedFor: Timestamp?

        package init(_ time: AlarmTime, alertedFor: Timestamp? = nil) {
            self.time = time
            self.alertedFor = alertedFor
        }
    }

    package var due: Timestamp?
    /// The date or the floating time at which the item is due, or `nil` for a moment.
    package var localDue: LocalTime?
    /// The number of seconds from the time from which lead times are counted to the due time. It is 0 except for a date.
    var secondsAfterBase = 0.0
    /// The start, from which some alarms are counted.
    private var start: Timestamp?
    /// The number of seconds from the start to the time from which alarms are counted. It is 0 except for a date.
    private var secondsAfterStart = 0.0
    /// The alarms in addition to the lead times.
    package private(set) var alarms: [Alarm] = []
    /// The item's own lead times, or the default ones.
    package private(set) var leads: [Lead]
    /// Whether `leads` are the default lead times.
    ///
    /// For these, only the latest alert time that is over is stored.
    private var followsDefault: Bool
    /// The latest alert time that was sent or skipped, if the item follows the default lead times.
    package private(set) var alertedUpTo: Timestamp?
    package var snoozedUntil: Timestamp?
    package var lastAlert: Timestamp?
    /// Whether the item is completed or muted, so that no alert is sent at any time.
    package var isSilent = false
    /// Whether the item's category is muted, so that its alert times are skipped.
    package var isCategoryMuted = false
    /// The next alert time, which a quiet period may delay.
    package var next: Timestamp?

    /// Creates the state of an item with lead times of its own.
    package init(due: Timestamp?, leads: [Lead]) {
        self.due = due
        self.leads = leads
        followsDefault = false
    }

    /// Creates the state of an item that follows the default lead times.
    package init(due: Timestamp?, defaultLeads: [Lead], alertedUpTo: Timestamp?) {
        self.due = due
        leads = defaultLeads
        followsDefault = true
        self.alertedUpTo = alertedUpTo
    }

    /// Sets the date or the floating time that the due time means.
    ///
    /// Without lead times of its own, an item with a date has one alert.
    mutating func setLocalDue(_ localDue: LocalTime, _ settings: AlertSettings) {
        self.localDue = localDue
        guard localDue.isDate else { return }
        secondsAfterBase = settings.secondsAfterAlertOfDates
        if followsDefault, !leads.isEmpty { leads = Self.leadsOfDate }
    }

    /// Sets the start from which alarms are counted. On a date, they are counted from the time of the alert for dates.
    mutating func setStart(_ start: Timestamp?, local: LocalTime?, _ settings: AlertSettings) {
        self.start = start
        secondsAfterStart = local?.isDate == true ? Double(settings.timeOfDates) : 0
    }

    private static let leadsOfDate = [Lead(offset: 0)]

    /// Returns the time of the alert with this lead time for an occurrence that is due at `due`.
    func alertTime(of lead: Lead, due: Timestamp) -> Timestamp { due - secondsAfterBase - lead.offset }

    /// Returns the time from which an alarm is counted, or `nil` for an alarm without an effect.
    private func anchor(of alarm: Alarm) -> Timestamp? {
        switch alarm.time {
        case .beforeDue: due
        case .beforeStart: start
        case .moment(let moment): moment
        }
    }

    /// Returns the time of the alert of an alarm, or `nil` if the alarm is counted from a start that the item does not
    /// have.
    func alertTime(of alarm: Alarm) -> Timestamp? {
        switch alarm.time {
        case .beforeDue(let seconds): due.map { $0 - Double(seconds) }
        case .beforeStart(let seconds): start.map { $0 + secondsAfterStart - Double(seconds) }
        case .moment(let moment): moment
        }
    }

    /// Whether all dates are finite. Another program may have written one that is not, and it cannot be saved again.
    package var isFinite: Bool {
        Self.isFinite(due) && Self.isFinite(alertedUpTo) && Self.isFinite(snoozedUntil)
            && Self.isFinite(lastAlert) && Self.isFinite(next)
            && leads.allSatisfy { Self.isFinite($0.alertedDueDate) }
            && alarms.allSatisfy { Self.isFinite($0.alertedFor) && Self.isFinite(alertTime(of: $0)) }
    }

    private static func isFinite(_ date: Timestamp?) -> Bool {
        date.map { $0.secondsSince1970.isFinite } ?? true
    }

    /// Adds a lead time of the item's own.
    ///
    /// The first one replaces the default lead times.
    private mutating func append(_ lead: Lead) {
        if followsDefault {
            leads = []
            followsDefault = false
        }
        leads.append(lead)
    }

    /// Adds an alarm of the item, with the anchor time for which its alert was sent or skipped.
    mutating func append(_ time: AlarmTime, alertedFor: Timestamp?) {
        if case .beforeDue(let seconds) = time {
            append(Lead(offset: Double(seconds), alertedDueDate: alertedFor))
        } else {
            alarms.append(Alarm(time, alertedFor: alertedFor))
        }
    }

    /// Whether the alert of an alarm was sent or skipped for the current start, or is never sent.
    func isOver(_ alarm: Alarm) -> Bool {
        anchor(of: alarm).map { alarm.alertedFor == $0 } ?? true
    }

    /// Whether the alert of a lead time was sent or skipped for the current due time.
    func isOver(_ lead: Lead) -> Bool {
        guard followsDefault else { return lead.alertedDueDate == due }
        guard let due, let alertedUpTo else { return false }
        // The one alert of a date was sent, whatever the time of the alerts is now.
        if localDue?.isDate == true { return alertedUpTo <= due }
        return alertTime(of: lead, due: due) <= alertedUpTo && alertedUpTo <= due
    }

    /// Returns the last alert time at or before `moment`.
    private func alertTime(upTo moment: Timestamp, due: Timestamp) -> Timestamp? {
        leads.lazy.map { alertTime(of: $0, due: due) }.filter { $0 <= moment }.max()
    }

    /// Records that the alert times up to `moment` of the occurrence due at `due` were sent or skipped.
    ///
    /// If the item has another due time now, the alerts for that one are still to be sent, unless they are over as
    /// well.
    package mutating func endAlertTimes(upTo moment: Timestamp, due: Timestamp?) {
        if let end = snoozedUntil, end <= moment { snoozedUntil = nil }
        for index in alarms.indices {
            guard let time = alertTime(of: alarms[index]), time <= moment else { continue }
            alarms[index].alertedFor = anchor(of: alarms[index])
        }
        guard let due else { return }
        guard followsDefault else {
            for index in leads.indices where leads[index].alertedDueDate != self.due {
                if alertTime(of: leads[index], due: due) <= moment { leads[index].alertedDueDate = due }
            }
            return
        }
        guard due == self.due, let time = alertTime(upTo: moment, due: due) else { return }
        if let alertedUpTo, time <= alertedUpTo, alertedUpTo <= due { return }
        alertedUpTo = time
    }

    /// Records that the user has just set the state of the item, and so knows which alert times are in the past.
    ///
    /// - Returns: whether the item is due in the past, or on a date whose alert time is in the past.
    @discardableResult
    package mutating func recordPastAlerts(at now: Timestamp) -> Bool {
        let past = now - AlertPlanner.grace
        for (index, alarm) in alarms.enumerated() {
            guard let time = alertTime(of: alarm), let anchor = anchor(of: alarm) else { continue }
            // An alert before a start that is still to come is sent late.
            if max(time, anchor + secondsAfterAnchor(of: alarm)) < past { alarms[index].alertedFor = anchor }
        }
        guard let due, due - secondsAfterBase < past else { return false }
        if followsDefault { alertedUpTo = due - secondsAfterBase }
        for (index, lead) in leads.enumerated() where alertTime(of: lead, due: due) < past {
            leads[index].alertedDueDate = due
        }
        return true
    }

    private func secondsAfterAnchor(of alarm: Alarm) -> Double {
        if case .beforeStart = alarm.time { secondsAfterStart } else { 0 }
    }

    /// Records that the clock was set back to `now`.
    ///
    /// Alerts with a time that is now in the future were sent too early, and are to be sent again at their time.
    ///
    /// - Returns: whether there is such an alert.
    mutating func forgetAlertsSentEarly(at now: Timestamp) -> Bool {
        var isChanged = false
        for (index, alarm) in alarms.enumerated() where isOver(alarm) {
            guard let time = alertTime(of: alarm), time > now else { continue }
            alarms[index].alertedFor = nil
            isChanged = true
        }
        guard let due else { return isChanged }
        let early = leads.indices.filter { alertTime(of: leads[$0], due: due) > now && isOver(leads[$0]) }
        if early.isEmpty { return isChanged }
        if followsDefault { alertedUpTo = alertTime(upTo: now, due: due) }
        for index in early { leads[index].alertedDueDate = nil }
        return true
    }

    /// Records that the alerts of the lead times are to be sent again.
    package mutating func forgetAlertsOfLeads() {
        alertedUpTo = nil
        for index in leads.indices { leads[index].alertedDueDate = nil }
    }

    /// Records that all alerts are to be sent again.
    package mutating func forgetSentAlerts() {
        forgetAlertsOfLeads()
        for index in alarms.indices { alarms[index].alertedFor = nil }
    }
}
