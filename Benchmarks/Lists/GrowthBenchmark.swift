import CivilTime
import Reminders
import TodoAPI

/// Calls on a small and on a large store in turns. Their times must not depend on the number of items.
struct GrowthBenchmark {
    private static let rounds = 150
    private static let limit = 1.5

    let small: ReminderFile
    let large: ReminderFile

    /// The two services of a measurement. Only the number of their items differs.
    private struct Pair {
        let small: BenchmarkService
        let large: BenchmarkService
        let clock: BenchmarkClock

        /// Compares the times of a call. `work` gets the number of the round.
        func compare(
            _ name: String, _ report: (Measurement) -> Void, _ work: (BenchmarkService, Int64) throws -> Void
        ) throws {
            var times: (small: [Double], large: [Double]) = ([], [])
            for round in 1...Int64(GrowthBenchmark.rounds) {
                times.small.append(try seconds { try work(small, round) })
                times.large.append(try seconds { try work(large, round) })
            }
            report(
                Measurement(
                    name: name, raw: GrowthBenchmark.quickest(times.small),
                    ours: GrowthBenchmark.quickest(times.large), limit: GrowthBenchmark.limit))
        }
    }

    /// Returns the quickest quarter of the times. In the other rounds, the call may have waited for the processor.
    private static func quickest(_ times: [Double]) -> [Double] {
        Array(times.sorted().prefix(times.count / 4))
    }

    func run(_ report: (Measurement) -> Void) throws {
        let clock = BenchmarkClock()
        let pair = Pair(
            small: try BenchmarkService(path: small.path, clock: clock),
            large: try BenchmarkService(path: large.path, clock: clock), clock: clock)
        try pair.compare("GetItem", report) { service, round in
            try service.call(GetItem.self, GetItem.Parameters(id: 1_000 + round * 7))
        }
        try pair.compare("DueItems", report, Self.listDue)
        try pair.compare("AddItem", report) { try Self.add($0, $1, tags: nil) }
        try pair.compare("AddItem with a tag", report) {
            try Self.add($0, $1, tags: [ReminderFile.commonTag])
        }
        try pair.compare("CompleteItems", report) { service, round in
            try service.call(CompleteItems.self, ItemIDs(ids: [2_002 + round * 10]))
        }
        try pair.compare("CompleteItems of a repeating item", report) { service, round in
            // The small store does not have more repeating items.
            try service.call(CompleteItems.self, ItemIDs(ids: [600 + round % 90 * 100]))
        }
        for file in [small, large] { file.removeParents() }
        try pair.compare("DueItems without subtasks", report, Self.listDue)
        try pair.compare("CompleteItems without subtasks", report) { service, round in
            try service.call(CompleteItems.self, ItemIDs(ids: [4_002 + round * 10]))
        }
        // One item becomes due with each check.
        let beforeFirst = BenchmarkClock.start + 3_300
        pair.clock.set(beforeFirst)
        pair.small.check()
        pair.large.check()
        try pair.compare("minute check", report) { service, round in
            pair.clock.set(beforeFirst + 60 * Double(round))
            service.check()
        }
        pair.small.close()
        pair.large.close()
    }

    private static func listDue(_ service: BenchmarkService, _: Int64) throws {
        var parameters = DueItems.Parameters()
        parameters.within = "80min"
        parameters.fields = ListBenchmark.fields
        try service.call(DueItems.self, parameters, wantsMore: true)
    }

    private static func add(_ service: BenchmarkService, _ round: Int64, tags: [String]?) throws {
        var parameters = AddItem.Parameters()
        parameters.name = "Call again, number \(round)"
        parameters.details.due = "2099-01-01 09:00"
        parameters.details.tags = tags
        try service.call(AddItem.self, parameters)
    }
}
