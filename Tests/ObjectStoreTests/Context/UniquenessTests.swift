import ObjectStore
import ObjectStoreXML
import Testing

/// Properties whose values are unique together.
@Suite struct UniquenessTests {
    final class Entry: ManagedObject {
        @Attribute("uid") var uid: String?
        @Attribute("rank") var rank: Int?
        @Attribute("note") var note: String?
        @ToOne("list") var list: List?
    }

    final class List: ManagedObject {
        @Attribute("name") var name: String
        @ToMany("entries") var entries: RelatedObjects<Entry>
    }

    let directory = TemporaryStore()

    static func model(_ uniqueness: [[String]] = [["list", "uid"]]) throws -> ManagedObjectModel {
        try ManagedObjectModel(
            versionIdentifiers: uniqueness.map { $0.joined() },
            entities: [
                EntityDescription(
                    "Entry", class: Entry.self,
                    attributes: [.string("uid"), .integer64("rank"), .string("note")],
                    relationships: [.toOne("list", destination: "List", inverse: "entries")],
                    uniqueness: uniqueness),
                EntityDescription(
                    "List", class: List.self, attributes: [.string("name", .required)],
                    relationships: [.toMany("entries", destination: "Entry", inverse: "list")]),
            ])
    }

    private func list(_ name: String, in context: ManagedObjectContext) throws -> List {
        let list = try context.insert(List.self)
        list.name = name
        return list
    }

    @discardableResult
    private func entry(
        _ uid: String?, in list: List?, _ context: ManagedObjectContext, rank: Int? = nil
    ) throws -> Entry {
        let entry = try context.insert(Entry.self)
        entry.uid = uid
        entry.list = list
        entry.rank = rank
        return entry
    }

    @Test(arguments: TestedStore.allCases)
    func equalValuesAreRefused(_ kind: TestedStore) throws {
        let context = try kind.context(in: directory, Self.model())
        let (home, work) = (try list("home", in: context), try list("work", in: context))
        try entry("a", in: home, context)
        try entry("a", in: work, context)
        try entry("b", in: home, context)
        try context.save()
        let new = try entry("a", in: home, context)
        let error = #expect(throws: ValidationError.self) { try context.save() }
        #expect(error?.description == "Entry 4.list, uid: unique: Entry 1 has the same values")
        #expect(error?.failures.map(\.rule) == [.unique])
        new.uid = "c"
        try context.save()
        new.uid = "b"
        #expect(throws: ValidationError.self) { try context.save() }
        new.list = work
        try context.save()
        #expect(try context.count(FetchRequest<Entry>()) == 4)
    }

    /// A save of many objects reads the texts of the store once. A save of few searches for each.
    @Test(arguments: TestedStore.allCases, [2, 40])
    func namesThatDifferInCaseAreRefused(_ kind: TestedStore, count: Int) throws {
        let model = try ManagedObjectModel(
            versionIdentifiers: ["names"],
            entities: [EntityDescription("Name", attributes: [.string("text", .uniqueIgnoringCase)])])
        let context = try kind.context(in: directory, model)
        func insert(_ text: String?) throws -> ManagedObject {
            let object = try context.insert(entity: "Name")
            try object.setValue(text.map { .string($0) } ?? .null, of: "text")
            return object
        }
        for number in 0..<count { _ = try insert("Ä\(number)") }
        for _ in 0..<count { _ = try insert(nil) }
        try context.save()
        for number in 0..<count - 1 { _ = try insert("b\(number)") }
        let last = try insert("ä0")
        let error = #expect(throws: ValidationError.self) { try context.save() }
        #expect(error?.failures.map(\.id) == [last.id] && error?.failures.map(\.rule) == [.unique])
        try last.setValue(.string("B0"), of: "text")
        #expect(throws: ValidationError.self) { try context.save() }
        try last.setValue(.string("c"), of: "text")
        try context.save()
    }

    @Test(arguments: TestedStore.allCases)
    func equalValuesInOneSaveAreRefused(_ kind: TestedStore) throws {
        let context = try kind.context(in: directory, Self.model())
        let home = try list("home", in: context)
        try entry("a", in: home, context)
        try entry("a", in: home, context)
        let error = #expect(throws: ValidationError.self) { try context.save() }
        #expect(error?.failures.count == 2)
    }

    @Test(arguments: TestedStore.allCases)
    func nilDiffersFromEveryValue(_ kind: TestedStore) throws {
        let context = try kind.context(in: directory, Self.model())
        let home = try list("home", in: context)
        for _ in 0..<2 {
            try entry(nil, in: home, context)
            try entry("a", in: nil, context)
            try entry(nil, in: nil, context)
        }
        try context.save()
        #expect(try context.count(FetchRequest<Entry>()) == 6)
    }

    @Test(arguments: TestedStore.allCases)
    func objectsSwapTheirValuesInOneSave(_ kind: TestedStore) throws {
        let context = try kind.context(in: directory, Self.model())
        let home = try list("home", in: context)
        let first = try entry("a", in: home, context)
        let second = try entry("b", in: home, context)
        try context.save()
        (first.uid, second.uid) = ("b", "a")
        try context.save()
        try context.delete(first)
        second.uid = "b"
        try context.save()
        #expect(try context.objects(of: Entry.self).map(\.uid) == ["b"])
    }

    /// Texts are equal in any form of Unicode, and numbers by their value.
    @Test(arguments: TestedStore.allCases)
    func valuesAreComparedAsInPredicates(_ kind: TestedStore) throws {
        let context = try kind.context(in: directory, Self.model([["uid", "rank"]]))
        try entry("\u{E4}", in: nil, context, rank: 1)
        try entry("\u{C4}", in: nil, context, rank: 1)
        try context.save()
        try entry("a\u{308}", in: nil, context, rank: 1)
        #expect(throws: ValidationError.self) { try context.save() }
    }

    @Test(arguments: TestedStore.allCases)
    func uniquePropertiesAreNotSetForManyObjects(_ kind: TestedStore) throws {
        let context = try kind.context(in: directory, Self.model())
        for property in ["uid", "list"] {
            #expect(throws: FetchError.self) {
                try context.updateAll(FetchRequest<Entry>(), setting: [property: nil as String?])
            }
        }
        try context.updateAll(FetchRequest<Entry>(), setting: ["note": "x"])
    }

    @Test func predicateOnUniquePropertiesUsesTheirIndex() throws {
        let format = "uid == 'a' AND note != 'x' AND list == 1"
        let memory = try TestedStore.memory.context(in: directory, Self.model())
        let request = FetchRequest<Entry>(matching: try FetchPredicate(format))
        #expect(try memory.explanation(of: request).plan[0] == "look up Entry by list, uid")
        let database = try TestedStore.sqlite.context(in: directory, Self.model())
        #expect(try database.explanation(of: request).plan.joined().contains("USING INDEX Entry list,uid"))
    }

    // MARK: - The model

    @Test func modelRefusesSetsWithoutMeaning() throws {
        for (sets, message) in [
            ([["nothing"]], "Entry.nothing: a set of unique properties names it"),
            ([["uid", "uid"]], "Entry.uid: is named twice"),
            ([[]], "Entry: a set of unique properties is empty"),
            (
                [["uid", "rank"], ["rank", "uid"]],
                "Entry.rank: the properties rank, uid are declared unique twice"
            ),
        ] as [([[String]], String)] {
            let error = #expect(throws: ModelError.self) { try Self.model(sets) }
            #expect(error?.description.hasPrefix(message) == true, "\(String(describing: error))")
        }
        let error = #expect(throws: ModelError.self) {
            try ManagedObjectModel(entities: [
                EntityDescription(
                    "A", attributes: [.binary("data"), .string("x")], uniqueness: [["x", "data"]])
            ])
        }
        #expect(error?.property == "data")
    }

    @Test func versionHashDependsOnUniqueness() throws {
        let none = try Self.model([])
        let both = try Self.model()
        #expect(none.versionHash != both.versionHash)
        #expect(both.canonicalText.contains("unique list,uid\n"))
        #expect(try Self.model([["uid", "list"]]).versionHash == both.versionHash)
        #expect(!none.canonicalText.contains("unique"))
    }

    // MARK: - Migration

    @Test(arguments: TestedStore.inFiles)
    func migrationAddsAndRemovesUniqueness(_ kind: TestedStore) throws {
        let (free, strict) = (try Self.model([]), try Self.model())
        var context = try kind.context(in: directory, free)
        try entry("a", in: list("home", in: context), context)
        try context.save()
        context.coordinator.close()

        context = try migrated(kind, from: free, to: strict)
        let home = try context.objects(of: List.self).first
        try entry("a", in: home, context)
        #expect(throws: ValidationError.self) { try context.save() }
        context.coordinator.close()

        context = try migrated(kind, from: strict, to: free)
        try entry("a", in: try context.objects(of: List.self).first, context)
        try context.save()
        #expect(try context.count(FetchRequest<Entry>()) == 2)
    }

    @Test(arguments: TestedStore.inFiles, [[["list", "uid"]], [["rank"], ["uid"]]])
    func migrationNamesTwoEqualObjects(_ kind: TestedStore, _ uniqueness: [[String]]) throws {
        let free = try Self.model([])
        let context = try kind.context(in: directory, free)
        let home = try list("home", in: context)
        for uid in ["a", "b", nil, "b", nil] { try entry(uid, in: home, context) }
        try context.save()
        context.coordinator.close()
        let strict = try Self.model(uniqueness)
        let error = #expect(throws: ValidationError.self) { try migrated(kind, from: free, to: strict) }
        let names =
            uniqueness.count == 1
            ? "list, uid: unique: Entry 4 has the same values" : "uid: unique: Entry 4 has the same value"
        #expect(error?.description == "Entry 2.\(names)")
        // The store is unchanged.
        #expect(try kind.context(in: directory, free).count(FetchRequest<Entry>()) == 5)
    }

    @discardableResult
    private func migrated(
        _ kind: TestedStore, from old: ManagedObjectModel, to new: ManagedObjectModel
    ) throws -> ManagedObjectContext {
        let coordinator = PersistentStoreCoordinator(model: new)
        let store = StoreConfiguration(try #require(kind.storeKind), path: kind.path(in: directory))
        try coordinator.addStore(store, migrating: StoreMigration(versions: [old, new]))
        return ManagedObjectContext(coordinator: coordinator)
    }
}
