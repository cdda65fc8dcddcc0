import CivilTime
import ObjectStore
import Synchronization
import Testing

@testable import Reminders

/// Compares the original rule, one predicate over due dates, with its implementation, one range of stored
/// alert times. Both send the same alerts.
@Suite struct AlertRuleTests {
    private static let start = Timestamp(secondsSince1970: 1_795_194_000)

    /// A minute count that the closures of a test share.
    private final class Clock: Sendable {
        private let minute = Atomic(0)
        var now: Timestamp { AlertRuleTests.start + Double(minute.load(ordering: .relaxed) * 60) }
        func set(_ minute: Int) { self.minute.store(minute, ordering: .relaxed) }
    }

    private static func context() throws -> ManagedObjectContext {
        let coordinator = PersistentStoreCoordinator(model: try ReminderModel.current())
        try coordinator.addStore(.memory)
        return ManagedObjectContext(coordinator: coordinator)
    }

    /// Simulates three hours in which items are added, changed and checked once a minute. The result is the
    /// same for the same seed.
    ///
    /// - Parameter grain: Due times are a multiple of this number of seconds after a full minute.
    /// - Returns: The minute and the name of each item that an alert is sent for.
    private func live(
        _ seed: UInt64, _ context: ManagedObjectContext, _ clock: Clock, grain: Int,
        look: (Timestamp) throws -> [(id: Int64, name: String)]
    ) throws -> [String] {
        var random = Random(state: seed)
        var items: [ToDo] = []
        var sent: [String] = []
        for minute in 0..<180 {
            clock.set(minute)
            if random.next(below: 3) == 0 {
                let item = try context.insertToDo(at: clock.now)
                item.name = "\(items.count)"
                item.dueDate = clock.now + Double(random.next(below: 80 * 60) / grain * grain)
                item.doNotAlert = random.next(below: 8) == 0
                items.append(item)
            }
            let chance = random.next(below: 6)
            if let item = items.randomElement(using: &random) {
                if chance == 0 { item.completed = true }
                if chance == 1 { item.doNotAlert = true }
            }
            try context.save()
            sent += try look(clock.now).sorted { $0.id < $1.id }.map { "\(minute) \($0.name)" }
            try context.save()
        }
        return sent
    }

    /// The alerts by the original rule for one lead time. The rule records the last alert of each item.
    private func underTheWrittenRule(
        _ seed: UInt64, _ settings: AlertSettings, lead: TimeSpan, grain: Int
    ) throws -> [String] {
        let predicate = try FetchPredicate(
            """
            completed == NO AND doNotAlert == NO AND dueDate >= $now AND dueDate <= $horizon \
            AND (lastAlertDate == nil OR lastAlertDate < $quietSince)
            """)
        let context = try Self.context()
        return try live(seed, context, Clock(), grain: grain) { now in
            let isDue = predicate.binding([
                "now": .date(now), "horizon": .date(now + lead.seconds),
                "quietSince": .date(now - settings.quiet.seconds),
            ])
            let items = try context.fetch(FetchRequest<ToDo>(matching: isDue))
            for item in items { item.lastAlertDate = now }
            return items.map { ($0.id, $0.name) }
        }
    }

    private func underStoredPoints(_ seed: UInt64, _ settings: AlertSettings, grain: Int) throws -> [String] {
        let clock = Clock()
        let context = try Self.context()
        let alertTimes = AlertTimes(
            context: context, planner: AlertPlanner(settings: settings), zone: LocalZone(.utc)
        ) { clock.now }
        let fetches = try AlertFetches(AlertRule(), alertTimes.rows)
        return try live(seed, context, clock, grain: grain) { now in
            let entries = try fetches.entries(at: now, settings)
            for entry in entries {
                #expect(alertTimes.planner.action(for: entry.state, at: now) == .send(.dueSoon))
            }
            try alertTimes.record(entries, at: now) {
                alertTimes.planner.state($0.state, afterAlertsUpTo: now, due: $0.state.due, isSent: true)
            }
            return entries.map { ($0.itemID, $0.name) }
        }
    }

    /// Lead times and the quiet time, in minutes.
    struct Spans: Sendable {
        let leads: [Int]
        let quiet: Int
        /// In seconds. The original rule sends an alert at the due time only if a check is at that time.
        var grain = 1
    }

    @Test(
        arguments: [1, 2, 3, 4, 5, 6, 7, 8] as [UInt64],
        [
            Spans(leads: [5], quiet: 5), Spans(leads: [3], quiet: 5), Spans(leads: [5], quiet: 30),
            Spans(leads: [30], quiet: 5), Spans(leads: [5, 0], quiet: 5, grain: 60),
            Spans(leads: [30, 3, 2], quiet: 5, grain: 60),
        ])
    func storedAlertTimesAgreeWithOriginalRule(seed: UInt64, spans: Spans) throws {
        var settings = AlertSettings()
        settings.leads = spans.leads.map { .minutes($0) }
        settings.quiet = .minutes(spans.quiet)
        var written: Set<String> = []
        for lead in settings.leads {
            // If the lead time exceeds the quiet time, the original rule repeats alerts.
            var seen: Set<Substring> = []
            written.formUnion(
                try underTheWrittenRule(seed, settings, lead: lead, grain: spans.grain).filter {
                    seen.insert($0.split(separator: " ")[1]).inserted
                })
        }
        let stored = try underStoredPoints(seed, settings, grain: spans.grain)
        #expect(!written.isEmpty)
        #expect(Set(stored) == written && stored.count == written.count)
    }

    @Test(arguments: [nil, 1] as [Int16?]) func checkReadsOneRangeOfIndex(lowestPriority: Int16?) throws {
        let scratch = try Scratch()
        let coordinator = PersistentStoreCoordinator(model: try ReminderModel.current())
        try coordinator.addStore(.sqlite(path: scratch.path("todo.sqlite")))
        let context = ManagedObjectContext(coordinator: coordinator)
        let rule = AlertRule()
        let requests = lowestPriority == nil ? rule.allRequests : rule.urgentRequests
        let values = AlertRule.values(now: Self.start, AlertSettings(), lowestPriority: lowestPriority)
        let items = FetchRequest<ToDo>(matching: requests.items.predicate.binding(values))
        let alarms = FetchRequest<Alarm>(matching: requests.alarms.predicate.binding(values))
        for plan in [
            try context.explanation(of: items).plan, try context.explanation(of: alarms).plan,
        ] {
            #expect(
                plan.contains {
                    $0.contains("USING INDEX ToDo nextAlertDate") && $0.contains("nextAlertDate<?")
                },
                "\(plan.joined(separator: "; "))")
            #expect(!plan.contains { $0.contains("SCAN") }, "\(plan.joined(separator: "; "))")
        }
        let first = try context.explanation(of: AlertRule().firstRequest).plan
        #expect(
            first.contains { $0.contains("USING INDEX ToDo nextAlertDate") },
            "\(first.joined(separator: "; "))")
        #expect(!first.contains { $0.contains("TEMP B-TREE") })
        let next = try context.explanation(of: rule.nextRequest(after: Self.start)).plan
        #expect(
            next.contains { $0.contains("USING INDEX ToDo nextAlertDate") && $0.contains("nextAlertDate>?") },
            "\(next.joined(separator: "; "))")
        #expect(!next.contains { $0.contains("TEMP B-TREE") })
        coordinator.close()
    }
}

/// A random number generator that gives the same numbers for the same seed, on every machine.
private struct Random: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func next(below limit: Int) -> Int { Int(next() % UInt64(limit)) }
}
