import CivilTime
import Reminders
import Testing

/// An item that is checked by the alert planner at given times. Times are minutes, and the item is due at 0.
struct WatchedItem {
    static let due = Timestamp(secondsSince1970: 1_795_194_000)

    var planner = AlertPlanner()
    var state: AlertState

    /// - Parameter followsDefault: Whether the lead times are the default ones instead of the item's own.
    init(
        leads: [Double] = [5], settings: AlertSettings = AlertSettings(), followsDefault: Bool = false,
        setAt minute: Double = -10_000
    ) {
        planner.settings = settings
        let leads = leads.map { AlertState.Lead(offset: $0 * 60) }
        state =
            followsDefault
            ? AlertState(due: Self.due, defaultLeads: leads, alertedUpTo: nil)
            : AlertState(due: Self.due, leads: leads)
        plan(at: minute)
    }

    static func at(_ minute: Double) -> Timestamp { due + minute * 60 }

    /// Plans the next alert, as a save does after a person has changed the item.
    mutating func plan(at minute: Double) {
        state.recordPastAlerts(at: Self.at(minute))
        state.next = planner.next(of: state, after: Self.at(minute))
    }

    /// Checks the item once, and records an alert as delivered.
    mutating func check(at minute: Double, delayedSince: Double? = nil) -> AlertPlanner.Action {
        let now = Self.at(minute)
        let action = planner.action(for: state, at: now, delayedSince: delayedSince.map(Self.at))
        switch action {
        case .wait: break
        case .send: state = planner.state(state, afterAlertsUpTo: now, due: state.due, isSent: true)
        case .skip, .giveUp: state = planner.state(state, afterAlertsUpTo: now, due: state.due, isSent: false)
        }
        return action
    }

    /// Checks the item at these minutes, and returns the alerts, such as `-5 due-soon`.
    mutating func sent(_ minutes: some Sequence<Int>) -> [String] {
        minutes.compactMap { minute in
            guard case .send(let kind) = check(at: Double(minute)) else { return nil }
            return "\(minute) \(kind.rawValue)"
        }
    }
}

@Suite struct AlertPlannerTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let leads: [Double]
        var settings = AlertSettings()
        let checks: [Int]
        let sent: [String]

        init(
            _ testDescription: String, leads: [Double] = [5], checks: [Int], sent: [String],
            _ change: (inout AlertSettings) -> Void = { _ in }
        ) {
            self.testDescription = testDescription
            self.leads = leads
            self.checks = checks
            self.sent = sent
            change(&settings)
        }
    }

    static let leadCases: [Case] = [
        Case("one lead, every minute", checks: Array(-20...60), sent: ["-5 due-soon"]),
        Case("first check after the alert time", checks: [-3, -2, 0, 9], sent: ["-3 due-soon"]),
        Case("at the due time", leads: [0], checks: Array(-3...9), sent: ["0 due-soon"]),
        Case(
            "several leads", leads: [1_440, 60, 5], checks: Array(-1_500...60),
            sent: ["-1440 due-soon", "-60 due-soon", "-5 due-soon"]),
        Case(
            "past alert times are sent together", leads: [1_440, 60, 5], checks: [-30, -6, -5],
            sent: ["-30 due-soon", "-5 due-soon"]),
        Case(
            "two alert times within the quiet time", leads: [20, 18], checks: Array(-25...30),
            sent: ["-20 due-soon", "-18 due-soon"]),
        Case(
            "the default lead times", leads: [5, 0], checks: Array(-25...30),
            sent: ["-5 due-soon", "0 due-soon"]),
        Case(
            "the first alert is late", leads: [5, 0], checks: [-6, -1, 0, 1],
            sent: ["-1 due-soon", "0 due-soon"]),
        Case("both alerts are late", leads: [5, 0], checks: [-6, 1, 2, 3], sent: ["1 due-soon"]),
        Case(
            "both alert times are past at the start", leads: [5, 0], checks: [60, 61, 62], sent: ["60 missed"]
        ),
        Case(
            "the due time is past at the start", leads: [5, 0], checks: [-5, 60, 61],
            sent: ["-5 due-soon", "60 overdue"]),
        Case(
            "a lead longer than the quiet time is no repeat", leads: [30], checks: Array(-40...40),
            sent: ["-30 due-soon"]),
    ]

    static let lateCases: [Case] = [
        Case("a minute past due is not late", checks: [1], sent: ["1 due-soon"]),
        Case("more than that is missed", checks: [2, 3, 60], sent: ["2 missed"]),
        Case(
            "late, but an alert was sent before", leads: [60, 5], checks: [-60, 30],
            sent: ["-60 due-soon", "30 overdue"]),
        Case("missed within the catch-up window", checks: [43_200], sent: ["43200 missed"]),
        Case("missed before it", checks: [43_201, 43_202], sent: []),
        Case("no catching up at all", checks: [2, 3], sent: []) { $0.catchUp = .seconds(0) },
    ]

    static let nagCases: [Case] = [
        Case(
            "nagging", checks: Array(-6...35),
            sent: ["-5 due-soon", "10 overdue", "20 overdue", "30 overdue"]
        ) { $0.nag = .minutes(10) },
        Case(
            "whole intervals after a gap", checks: [-5, 24, 26, 29, 30, 31],
            sent: ["-5 due-soon", "24 overdue", "30 overdue"]
        ) { $0.nag = .minutes(10) },
        Case(
            "more often than the quiet time", checks: Array(-6...3),
            sent: ["-5 due-soon", "1 overdue", "2 overdue", "3 overdue"]
        ) { $0.nag = .minutes(1) },
        Case(
            "as often as the quiet time", leads: [5, 0], checks: Array(-6...16),
            sent: ["-5 due-soon", "0 due-soon", "5 overdue", "10 overdue", "15 overdue"]
        ) { $0.nag = .minutes(5) },
        Case("after what was missed", checks: [3, 4, 9, 10, 11], sent: ["3 missed", "10 overdue"]) {
            $0.nag = .minutes(10)
        },
        Case("after what is too old to be missed", checks: [43_201, 43_205, 43_210], sent: ["43210 overdue"])
        {
            $0.nag = .minutes(10)
        },
    ]

    @Test(arguments: leadCases + lateCases + nagCases, [false, true])
    func alertsAreSentAtAlertTimes(_ example: Case, followsDefault: Bool) {
        var item = WatchedItem(
            leads: example.leads, settings: example.settings, followsDefault: followsDefault)
        #expect(item.sent(example.checks) == example.sent)
        if example.settings.nag == nil, example.checks.last.map({ $0 >= 0 }) == true {
            #expect(item.state.next == nil)
        }
    }

    @Test func dueTimeInThePastSendsNoAlert() {
        var item = WatchedItem(setAt: 2)
        #expect(item.state.next == nil)
        #expect(item.sent(2...20) == [])
        var recent = WatchedItem(setAt: 1)
        #expect(recent.sent(1...20) == ["1 due-soon"])
    }

    struct Setting: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let leads: [Double]
        let setAt: Double
        let checks: ClosedRange<Int>
        let sent: [String]
    }

    /// An item that is due within one of its lead times gets an alert immediately, and only one if several
    /// alert times are past.
    @Test(arguments: [
        Setting(
            testDescription: "in time", leads: [1_440], setAt: -1_500, checks: -1_500...30,
            sent: ["-1440 due-soon"]),
        Setting(
            testDescription: "within its only lead", leads: [1_440], setAt: -600, checks: -600...30,
            sent: ["-600 due-soon"]),
        Setting(
            testDescription: "within two of three", leads: [1_440, 60, 20], setAt: -30, checks: -30...30,
            sent: ["-30 due-soon", "-20 due-soon"]),
        Setting(
            testDescription: "the next one within the quiet time", leads: [60, 20], setAt: -22,
            checks: -22...30,
            sent: ["-22 due-soon", "-20 due-soon"]),
        Setting(
            testDescription: "within the first of the default ones", leads: [5, 0], setAt: -3,
            checks: -3...30,
            sent: ["-3 due-soon", "0 due-soon"]),
        Setting(
            testDescription: "no check in time", leads: [1_440, 20], setAt: -600, checks: 30...40,
            sent: ["30 missed"]),
        Setting(testDescription: "all is past", leads: [60], setAt: 2, checks: 2...30, sent: []),
    ])
    func pastAlertTimesSendOneAlert(_ setting: Setting) {
        var item = WatchedItem(leads: setting.leads, followsDefault: true, setAt: setting.setAt)
        #expect(item.sent(setting.checks) == setting.sent)
        #expect(item.state.next == nil)
    }

    @Test func newDueTimeSendsNewAlerts() {
        var item = WatchedItem()
        #expect(item.sent(-10...0) == ["-5 due-soon"])
        item.state.due = WatchedItem.at(20)
        item.plan(at: 1)
        #expect(item.sent(1...30) == ["15 due-soon"])
    }

    /// A1: The quiet time does not delay the alerts for another due time.
    @Test func newDueTimeDoesNotWaitForQuietTime() {
        var item = WatchedItem()
        #expect(item.sent([-5]) == ["-5 due-soon"])
        item.state.due = WatchedItem.at(2)
        item.plan(at: -4)
        #expect(item.sent(-4...9) == ["-3 due-soon"])
    }

    @Test func alertRecordedAfterChangeOfDueTimeCountsForOldDueTime() {
        var item = WatchedItem()
        item.state.due = WatchedItem.at(10)
        item.state = item.planner.state(
            item.state, afterAlertsUpTo: WatchedItem.at(-5), due: WatchedItem.due, isSent: true)
        #expect(item.sent(-4...20) == ["5 due-soon"])
    }

    @Test func alertForOldDueTimeDoesNotReactivatePastDueTime() {
        var item = WatchedItem()
        item.state.due = WatchedItem.at(-30)
        item.plan(at: -5)
        item.state = item.planner.state(
            item.state, afterAlertsUpTo: WatchedItem.at(-5), due: WatchedItem.due, isSent: true)
        #expect(item.sent(-4...20) == [])
    }

    /// C8: Each check is late by a fraction of a second.
    @Test func lateChecksDoNotDelayNags() {
        var settings = AlertSettings()
        settings.nag = .minutes(1)
        var item = WatchedItem(leads: [5, 0], settings: settings, followsDefault: true)
        var alerts = 0
        for minute in -6...10 {
            if case .send = item.check(at: Double(minute) + 0.5 / Double(minute + 20)) { alerts += 1 }
        }
        #expect(alerts == 2 + 10)
    }

    /// The quiet time separates a repeat from the alert before it, and delays no other alert.
    @Test func quietTimeDelaysRepeatsOnly() {
        var settings = AlertSettings()
        settings.quiet = .minutes(30)
        var item = WatchedItem(leads: [10, 5, 0], settings: settings, followsDefault: true)
        #expect(item.sent(-20...(-10)) == ["-10 due-soon"])
        item.state.snoozedUntil = WatchedItem.at(-8)
        item.plan(at: -9)
        #expect(item.state.next == WatchedItem.at(-5))
        #expect(item.sent(-9...60) == ["-5 due-soon", "0 due-soon"])
        item.state.snoozedUntil = WatchedItem.at(2)
        item.plan(at: 1)
        // The alert is sent after the end of the quiet time, not exactly at its end.
        #expect(item.state.next == WatchedItem.at(30) + 1)
        var exact = item
        #expect(exact.check(at: 30) == .wait && exact.check(at: 30 + 1.0 / 60) == .send(.snoozed))
        #expect(item.sent(1...60) == ["31 snoozed"])
    }

    // MARK: - Snoozing

    @Test func snoozeDelaysAlertsUntilItsEnd() {
        var item = WatchedItem(leads: [60, 5])
        #expect(item.sent(-70...(-50)) == ["-60 due-soon"])
        item.state.snoozedUntil = WatchedItem.at(10)
        item.plan(at: -50)
        #expect(item.sent(-50...60) == ["10 snoozed"])
        #expect(item.state.snoozedUntil == nil && item.state.next == nil)
    }

    /// The alert at the due time was never sent, so the quiet time does not delay the end of the snooze that
    /// replaced it.
    @Test func snoozeAcrossDueTimeEndsOnTime() {
        var item = WatchedItem(leads: [5, 0], settings: AlertSettings(), followsDefault: true)
        #expect(item.sent(-5...(-1)) == ["-5 due-soon"])
        item.state.snoozedUntil = WatchedItem.at(-0.5)
        item.plan(at: -1)
        #expect(item.state.next == WatchedItem.at(0))
        item = WatchedItem(leads: [5, 0], settings: AlertSettings(), followsDefault: true)
        #expect(item.check(at: -1) == .send(.dueSoon))
        item.state.snoozedUntil = WatchedItem.at(1)
        item.plan(at: -0.5)
        #expect(item.state.next == WatchedItem.at(1))
        #expect(item.sent(0...30) == ["1 snoozed"])
    }

    @Test func snoozeBeforeLeadTimeKeepsLeadTime() {
        var item = WatchedItem()
        item.state.snoozedUntil = WatchedItem.at(-100)
        item.plan(at: -200)
        #expect(item.sent(-200...30) == ["-100 snoozed", "-5 due-soon"])
    }

    @Test func overdueItemCanBeSnoozed() {
        var item = WatchedItem(setAt: 30)
        item.state.snoozedUntil = WatchedItem.at(40)
        item.plan(at: 30)
        #expect(item.sent(30...100) == ["40 snoozed"])
    }

    @Test func itemWithoutDueTimeCanBeSnoozed() {
        var item = WatchedItem()
        item.state.due = nil
        item.state.snoozedUntil = WatchedItem.at(0)
        item.plan(at: -5)
        #expect(item.sent(-5...9) == ["0 snoozed"])
    }

    @Test func snoozeInterruptsNagging() {
        var settings = AlertSettings()
        settings.nag = .minutes(10)
        var item = WatchedItem(settings: settings)
        #expect(item.sent(-5...12) == ["-5 due-soon", "10 overdue"])
        item.state.snoozedUntil = WatchedItem.at(45)
        item.plan(at: 12)
        #expect(item.sent(13...60) == ["45 snoozed", "51 overdue", "60 overdue"])
    }

    // MARK: - Muting

    @Test func completedAndMutedItemsHaveNoAlertTimes() {
        var item = WatchedItem()
        item.state.isSilent = true
        item.plan(at: -10)
        #expect(item.state.next == nil)
        #expect(item.sent(-10...10) == [])
    }

    @Test func alertTimesOfMutedCategoryPassWithoutAlert() {
        var item = WatchedItem(leads: [60, 5])
        item.state.isCategoryMuted = true
        #expect(item.check(at: -60) == .skip)
        #expect(item.state.next == WatchedItem.at(-5))
        #expect(item.state.lastAlert == nil)
        item.state.isCategoryMuted = false
        #expect(item.sent(-59...9) == ["-5 due-soon"])
    }

    @Test func heldAlertIsSentAtAnyAge() {
        var item = WatchedItem()
        #expect(item.check(at: 90 * 1_440, delayedSince: -10) == .send(.missed))
    }

    // MARK: - The clock

    @Test(arguments: [0.5, 1, 60, 1_440, 40_000])
    func wrongClockNeitherRepeatsNorLosesAlerts(minutes: Double) {
        var item = WatchedItem(leads: [60, 5])
        #expect(item.sent(-60...(-50)) == ["-60 due-soon"])
        // The clock is wrong for one check. An alert time before the wrong time causes one alert.
        let isBeyondTheLead = -50 + minutes >= -5
        #expect((item.check(at: -50 + minutes) != .wait) == isBeyondTheLead)
        // The clock is right again. A last alert in the future does not suppress later alerts.
        #expect(item.sent(-49...30) == (isBeyondTheLead ? [] : ["-5 due-soon"]))
    }

    @Test(arguments: [1, 60, 1_440]) func clockSetBackRepeatsNoAlerts(minutes: Int) {
        var item = WatchedItem()
        #expect(item.sent(-20...(-2)) == ["-5 due-soon"])
        #expect(item.sent((-2 - minutes)...20) == [])
    }

    @Test func lastAlertInFutureDoesNotSuppressAlerts() {
        var item = WatchedItem()
        item.state.lastAlert = WatchedItem.at(1_000)
        #expect(item.sent(-10...10) == ["-5 due-soon"])
    }

    @Test(arguments: [-62_135_596_800, 253_402_300_799.5])
    func dueTimesAtEndsOfCalendarAreAccepted(due: Double) {
        var item = WatchedItem()
        item.state.due = Timestamp(secondsSince1970: due)
        item.plan(at: 0)
        #expect(item.sent(0...10) == [])
        #expect((item.state.next == nil) == (due < 0))
    }
}
