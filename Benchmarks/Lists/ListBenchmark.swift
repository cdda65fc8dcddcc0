import CivilTime
import Reminders
import TodoAPI

/// The lists of a tag and of the subtasks of an item, from the parameters of the call to the bytes of its replies,
/// against the raw C API reading the same columns into structures.
///
/// Calls whose time must not depend on the number of items are compared with a small store.
struct ListBenchmark {
    /// The fields in the table of `todoctl list`.
    static let fields = [
        "due", "recurrence", "category", "categoryMuted", "tags", "percent", "children", "childrenDone",
        "blocked",
    ]
    private static let limit = 1.5
    private static let roundsOfFew = 1_000
    /// The number of items in the small store.
    private static let smallCount = 10_000

    let directory: String
    let count: Int

    func run(_ filter: String, _ report: (String) -> Void) throws {
        guard "lists of \(count) items".contains(filter) else { return }
        let large = ReminderFile(path: directory + "/large.sqlite", count: count)
        try large.make()
        report("")
        for line in Measurement.header { report(line) }
        try compareLists(of: large, report)
        let small = ReminderFile(path: directory + "/small.sqlite", count: Self.smallCount)
        try small.make()
        report("")
        report("| call | \(small.count) items | \(count) items | ratio | limit |")
        report("| --- | ---: | ---: | ---: | ---: |")
        try GrowthBenchmark(small: small, large: large).run { report($0.line) }
    }

    /// Compares lists of many items and of few. An empty list has no limit, because its time is that of the call.
    private func compareLists(of file: ReminderFile, _ report: (String) -> Void) throws {
        let clock = BenchmarkClock()
        let service = try BenchmarkService(path: file.path, clock: clock)
        let raw = RawItemLists(file.path, now: clock.now.secondsSince1970)
        let ofTag = { (name: String) in
            (raw: { raw.items(ofTag: name) }, ours: { try Self.list(service) { $0.tags = [name] } })
        }
        let ofParent = { (id: Int64) in
            (raw: { raw.openChildren(of: id) }, ours: { try Self.list(service) { $0.parent = id } })
        }
        report(try measure("items of a tag", ofTag(ReminderFile.commonTag), rounds: 7).line)
        report(try measure("open subtasks", ofParent(file.largeParent), rounds: 200).line)
        let few = [
            ("items of a tag", ofTag(ReminderFile.rareTag), ofTag(ReminderFile.unusedTag)),
            ("open subtasks", ofParent(file.parent), ofParent(file.childless)),
        ]
        for (name, list, empty) in few { try measure(name, list, beyond: empty, report) }
        service.close()
    }

    /// The two ways to read a list. The first one returns the number of its items.
    private typealias Sides = (raw: () -> Int, ours: () throws -> Void)

    private func measure(_ name: String, _ list: Sides, rounds: Int) throws -> Measurement {
        let count = list.raw()
        return try compare("list \(count) \(name)", limit: Self.limit, rounds: rounds) {
            precondition(list.raw() == count)
        } ours: {
            try list.ours()
        }
    }

    /// Measures a short list. The time of an empty list is subtracted, because the other side reads no call.
    private func measure(
        _ name: String, _ list: Sides, beyond empty: Sides, _ report: (String) -> Void
    ) throws {
        var empties: (raw: [Double], ours: [Double]) = ([], [])
        var items: (raw: [Double], ours: [Double]) = ([], [])
        for _ in 0..<Self.roundsOfFew {
            empties.raw.append(seconds { precondition(empty.raw() == 0) })
            items.raw.append(seconds { _ = list.raw() })
            empties.ours.append(try seconds(empty.ours))
            items.ours.append(try seconds(list.ours))
        }
        let call = "\(text(ofSeconds: median(empties.raw))) | \(text(ofSeconds: median(empties.ours)))"
        report("| list 0 \(name) | \(call) | | |")
        report(
            Measurement(
                name: "list \(list.raw()) \(name), beyond an empty list",
                raw: [median(items.raw) - median(empties.raw)],
                ours: [median(items.ours) - median(empties.ours)], limit: Self.limit
            ).line)
    }

    private static func list(
        _ service: BenchmarkService, _ select: (inout ListItems.Parameters) -> Void
    ) throws {
        var parameters = ListItems.Parameters()
        parameters.state = .open
        parameters.fields = fields
        select(&parameters)
        try service.call(ListItems.self, parameters, wantsMore: true)
    }
}
