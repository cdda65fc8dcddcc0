import ObjectStore
import TestSupport
import Testing

/// The condition that a many-to-many relationship contains one object.
@Suite struct LinkedObjectTests {
    let directory = TemporaryStore()

    @Test(arguments: TestedStore.allCases)
    func conditionFindsOwnersOfObject(_ kind: TestedStore) throws {
        let context = try kind.context(in: directory, Sample.model())
        try Sample.fill(context)
        let all = try context.fetch(FetchRequest<ManagedObject>(entity: "Sample"))
        func ids(_ format: String, _ object: ManagedObject) throws -> Set<Int64> {
            let predicate = try FetchPredicate(format: format, arguments: [object])
            return Set(try context.ids(FetchRequest<ManagedObject>(entity: "Sample", matching: predicate)))
        }
        for object in all {
            for (name, inverse) in [("likes", "likedBy"), ("likedBy", "likes")] {
                let owners = Set(try object.objects(of: inverse).all().map(\.id))
                let others = Set(all.map(\.id)).subtracting(owners)
                #expect(try ids("\(name) CONTAINS %@", object) == owners)
                #expect(try ids("ANY \(name) == %@", object) == owners)
                #expect(try ids("NOT (\(name) CONTAINS %@)", object) == others)
                #expect(try ids("NONE \(name) == %@", object) == others)
                // An object at the end of a path may be missing.
                let nexts = try all.filter { object in
                    try object.target(of: "next").map { owners.contains($0.id) } ?? false
                }
                #expect(try ids("next.\(name) CONTAINS %@", object) == Set(nexts.map(\.id)))
                #expect(
                    try ids("NOT (next.\(name) CONTAINS %@)", object)
                        == Set(all.map(\.id)).subtracting(nexts.map(\.id)))
            }
        }
    }

    @Test func indexFindsOwnersOfObject() throws {
        let context = try TestedStore.sqlite.context(in: directory, Sample.model())
        try Sample.fill(context)
        let object = try #require(try context.fetch(FetchRequest<ManagedObject>(entity: "Sample")).first)
        for name in ["likes", "likedBy"] {
            let predicate = try FetchPredicate(
                format: "\(name) CONTAINS %@ AND flag == YES", arguments: [object])
            let request = FetchRequest<ManagedObject>(entity: "Sample", matching: predicate)
            let plan = try context.explanation(of: request).plan.joined(separator: "; ")
            #expect(plan.contains("SEARCH t0 USING INTEGER PRIMARY KEY") && !plan.contains("SCAN"), "\(plan)")
        }
    }
}
