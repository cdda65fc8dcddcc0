import CivilTime
import Reminders
import TodoAPI

/// The lists of a tag and of the subtasks of an item, from the parameters of the call to the bytes of its replies,
/// against the raw C API reading the same columns into structures.
///
/// Calls whose time must not depend on the number of items are compared with a store that has a hundredth of the items.
struct ListBenchmark {
    /// The fields in the table of `todoctl list`.
    private static let fields = [
        "due", "recurrence", "category", "categoryMuted", "tags", "percent", "children", "childrenDone",
        "blocked",
    ]
    private static let limit = 1.5

    let directory: String
    let count: Int

    func run(_ filter: String, _ report: (String) -> Void) throws {
        guard "lists of \(count) items".contains(filter) else { return }
        let large = ReminderFile(path: directory + "/large.sqlite", count: count)
        try large.make()
        report("")
        for line in Measurement.header { report(line) }
        try compareLists(of: large) { report($0.line) }
        let small = ReminderFile(path: directory + "/small.sqlite", count: count / 100)
        try small.make()
        report("")
        report("| call | \(small.count) items | \(count) items | ratio | limit |")
        report("| --- | ---: | ---: | ---: | ---: |")
        try GrowthBenchmark(small: small, large: large).run { report($0.line) }
    }

    private func compareLists(of file: ReminderFile, _ report: (Measurement) -> Void) throws {
        let clock = BenchmarkClock()
        let service = try BenchmarkService(path: file.path, clock: clock)
        let raw = RawItemLists(file.path, now: clock.now.secondsSince1970)
        for (name, rounds) in [(ReminderFile.commonTag, 7), (ReminderFile.rareTag, 500)] {
            let found = raw.items(ofTag: name)
            report(
                try compare("list \(found) items of a tag", limit: Self.limit, rounds: rounds) {
                    precondition(raw.items(ofTag: name) == found)
                } ours: {
                    try Self.list(service) { $0.tags = [name] }
                })
        }
        for parent in [file.parent, file.largeParent] {
            let found = raw.openChildren(of: parent)
            report(
                try compare("list \(found) open subtasks", limit: Self.limit, rounds: 500) {
                    precondition(raw.openChildren(of: parent) == found)
                } ours: {
                    try Self.list(service) { $0.parent = parent }
                })
        }
        service.close()
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
