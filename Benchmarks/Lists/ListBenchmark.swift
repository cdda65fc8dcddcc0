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
        try compareLists(of: large) { report($0.line) }
        let small = ReminderFile(path: directory + "/small.sqlite", count: Self.smallCount)
        try small.make()
        report("")
        report("| call | \(small.count) items | \(count) items | ratio | limit |")
        report("| --- | ---: | ---: | ---: | ---: |")
        try GrowthBenchmark(small: small, large: large).run { report($0.line) }
    }

    /// Compares lists of many items and of few. An empty list has no limit, because its time is that of the call.
    private func compareLists(of file: ReminderFile, _ report: (Measurement) -> Void) throws {
        let clock = BenchmarkClock()
        let service = try BenchmarkService(path: file.path, clock: clock)
        let raw = RawItemLists(file.path, now: clock.now.secondsSince1970)
        let ofTag = { (name: String) in
            (raw: { raw.items(ofTag: name) }, ours: { try Self.list(service) { $0.tags = [name] } })
        }
        let ofParent = { (id: Int64) in
            (raw: { raw.openChildren(of: id) }, ours: { try Self.list(service) { $0.parent = id } })
        }
        report(try measure("items of a tag", ofTag(ReminderFile.commonTag), rounds: 7))
        report(try measure("open subtasks", ofParent(file.largeParent), rounds: 200))
        let noItems = try measure("items of a tag", ofTag(ReminderFile.unusedTag), rounds: Self.roundsOfFew)
        let noChildren = try measure("open subtasks", ofParent(file.childless), rounds: Self.roundsOfFew)
        report(noItems)
        report(noChildren)
        report(try measure("items of a tag", ofTag(ReminderFile.rareTag), beyond: noItems))
        report(try measure("open subtasks", ofParent(file.parent), beyond: noChildren))
        service.close()
    }

    /// The two ways to read a list. The first one returns the number of its items.
    private typealias Sides = (raw: () -> Int, ours: () throws -> Void)

    /// Measures a list.
    ///
    /// - Parameter empty: the measurement of an empty list. Its times are subtracted, because the other side does not
    ///   read a call.
    private func measure(
        _ name: String, _ sides: Sides, rounds: Int = roundsOfFew, beyond empty: Measurement? = nil
    ) throws -> Measurement {
        let count = sides.raw()
        let suffix = empty == nil ? "" : ", beyond an empty list"
        let all = try compare("list \(count) \(name)\(suffix)", limit: Self.limit, rounds: rounds) {
            precondition(sides.raw() == count)
        } ours: {
            try sides.ours()
        }
        guard let empty else { return all }
        let (raw, ours) = (median(empty.raw), median(empty.ours))
        return Measurement(
            name: all.name, raw: all.raw.map { $0 - raw }, ours: all.ours.map { $0 - ours }, limit: all.limit)
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
