import CivilTime

@testable import Reminders

/// A check of the reading and changing of tasks with any text. The fuzzer runs it, and a test replays the fuzzer's corpus.
enum TaskFuzz {
    /// A result that must not be.
    struct Mistake: Error {
        let description: String
    }

    private static let format = SyncFormat(
        zone: TimeZoneRules(named: "Europe/Berlin") ?? .utc, defaultTime: 9 * 3_600,
        now: Timestamp(secondsSince1970: 1_795_000_000))
    /// The properties that each change writes.
    private static let stamps: Set = ["DTSTAMP", "LAST-MODIFIED"]

    /// Reads the bytes as a task of a server, and changes it. Failures are expected, and traps are not.
    static func run(_ bytes: [UInt8]) throws {
        let text = SyncFormat.normalized(String(decoding: bytes, as: UTF8.self))
        guard SyncDocument(text).text == text else {
            throw Mistake(description: "the parts are not the text")
        }
        guard let task = try? format.task(text) else { return }
        guard (try? format.text(text, with: task.item, changedSince: task.state)) ?? text == text else {
            throw Mistake(description: "an item without a change has another text")
        }
        let merge = try? SyncMerge(task.item, base: (text, task.state), remote: text, format)
        if let merge, !merge.unsent.isEmpty || merge.lostText != nil {
            throw Mistake(description: "a merge without changes has changes")
        }
        try change(text, task, groups: ["SUMMARY", "X-TODOD-SUMMARY"]) { $0.name = "another name" }
        try change(text, task, groups: ["PRIORITY"]) { $0.priority = $0.priority == 1 ? 2 : 1 }
        try change(text, task, groups: [SyncGroups.alarms, "X-TODOD-LEADS"]) { $0.leads = [17] }
        try change(text, task, groups: [SyncGroups.times]) { item in
            item.due = item.due.map { $0 + 86_400 }
            if let due = item.localDue, let civil = TimeZoneRules.utc.civil(at: due.momentInUTC + 86_400) {
                item.localDue = due.moved(to: civil)
            }
        }
        try change(text, task, groups: ["CATEGORIES"]) { $0.tags = ["new"] }
    }

    /// Whether a part is the alarm at a moment that another part is, with a lead time instead of the moment.
    private static func isLeadTime(_ part: SyncDocument.Part, of former: SyncDocument.Part) -> Bool {
        guard let unit = part.unit, let formerUnit = former.unit, unit.name == SyncGroups.alarms else {
            return false
        }
        let lines = { (unit: ICalendarUnit) in
            ICalendarUnit.logicalLines(of: unit.text).map {
                ICalendarUnit(name: "", text: String(Substring($0)))
            }
        }
        let pairs = Array(zip(lines(formerUnit), lines(unit))).filter { $0.0 != $0.1 }
        guard pairs.count == 1, lines(unit).count == lines(formerUnit).count else { return false }
        return pairs[0].0.property.parameter("VALUE")?.uppercased() == "DATE-TIME"
            && [pairs[0].0, pairs[0].1].allSatisfy { $0.property.name == "TRIGGER" }
    }

    /// Changes an item, and checks that the text means the change and has all other parts as before.
    private static func change(
        _ text: String, _ task: SyncTask, groups: Set<String>, _ body: (inout ExchangeItem) -> Void
    ) throws {
        var item = task.item
        body(&item)
        guard let changed = try? format.text(text, with: item, changedSince: task.state) else { return }
        let others = { (text: String) in
            SyncDocument(text).parts.compactMap { part -> SyncDocument.Part? in
                guard let unit = part.unit else { return part }
                return stamps.contains(unit.name) || groups.contains(SyncGroups.name(of: unit)) ? nil : part
            }
        }
        // New lines may name a time zone that the text has to describe.
        let former = others(text)
        let present = others(changed).filter { part in
            !(part.text.hasPrefix("BEGIN:VTIMEZONE") && !former.contains(part))
        }
        let movesTimes = groups.contains(SyncGroups.times)
        let isAlike =
            former.count == present.count
            && zip(former, present).allSatisfy { former, present in
                former == present || movesTimes && isLeadTime(present, of: former)
            }
        guard isAlike else { throw Mistake(description: "other lines differ in:\n\(changed)") }
        let changedTask = try format.task(changed)
        let isMoved = task.item.alerts.contains { if case .moment = $0 { true } else { false } }
        if movesTimes, !isMoved, changedTask.item.leads != task.item.leads {
            throw Mistake(description: "the lead times differ in:\n\(changed)")
        }
        let result = changedTask.groups
        let wanted = format.groups(of: item)
        for name in groups where result.keys(of: name).sorted() != wanted.keys(of: name).sorted() {
            throw Mistake(description: "\(name) is not the change in:\n\(changed)")
        }
    }
}
