import ObjectStore
import TestSupport
import Testing

/// `updateEach` sets individual values of many objects in one save, in every kind of store.
@Suite struct UpdateEachTests {
    private let directory = TemporaryStore()

    private func updates(_ properties: [String], _ rows: [(Int64, [AttributeValue])]) -> ObjectUpdates {
        var updates = ObjectUpdates(of: Book.self, setting: properties)
        for (id, values) in rows { updates.append(id: id, values: values) }
        return updates
    }

    @Test(arguments: TestedStore.allCases) func updateEachSetsIndividualValues(_ kind: TestedStore) throws {
        let shelf = try kind.shelf(in: directory)
        let context = ManagedObjectContext(coordinator: shelf.coordinator)
        let emma = try #require(try context.object(of: Book.self, id: 1))
        let title = emma.title
        var sent: [SavedChanges] = []
        let observation = context.coordinator.observeSaves { sent.append($0) }
        var authors = ObjectUpdates(of: Author.self, setting: ["born"])
        authors.append(id: 1, values: [.integer(1775)])
        try context.updateEach([
            updates(["pages", "rating"], [(1, [.integer(11), .null]), (3, [.integer(33), .double(2)])]),
            authors, ObjectUpdates(of: Publisher.self, setting: ["name"]),
        ])
        #expect(emma.pages == 11 && emma.rating == nil && emma.title == title)
        let third = try #require(try context.object(of: Book.self, id: 3))
        #expect(third.pages == 33 && third.rating == 2)
        #expect(try context.object(of: Author.self, id: 1)?.born == 1775)
        #expect(sent.map { $0.updated.map(\.id) } == [[1, 3, 1]])
        #expect(!context.hasChanges)
        let other = ManagedObjectContext(coordinator: context.coordinator)
        #expect(try other.object(of: Book.self, id: 3)?.pages == 33)
        observation.cancel()
    }

    @Test(arguments: TestedStore.allCases) func updateEachOfMissingObjectChangesNothing(_ kind: TestedStore)
        throws
    {
        let shelf = try kind.shelf(in: directory)
        let context = ManagedObjectContext(coordinator: shelf.coordinator)
        let before = try context.contents()
        #expect(throws: StoreError.self) {
            try context.updateEach([updates(["pages"], [(1, [.integer(11)]), (77, [.integer(77)])])])
        }
        #expect(try context.contents() == before)
    }

    @Test func updateEachKeepsUnsavedChanges() throws {
        let shelf = try Shelf()
        let emma = try #require(try shelf.context.object(of: Book.self, id: 1))
        emma.pages = 1
        try shelf.context.updateEach([updates(["pages", "rating"], [(1, [.integer(2), .double(0)])])])
        #expect(emma.pages == 1 && emma.rating == 0)
        try shelf.context.save()
        #expect(try shelf.store.rows("SELECT pages, rating FROM Book WHERE id = 1") == ["1|0.0"])
    }

    @Test func updateEachRefusesInvalidValues() throws {
        let shelf = try Shelf()
        let error = #expect(throws: ValidationError.self) {
            try shelf.context.updateEach([
                updates(["title", "rating"], [(1, [.string("x"), .double(9)]), (2, [.null, .null])])
            ])
        }
        #expect(error?.failures.map { "\($0.id ?? 0) \($0.property)" } == ["1 rating", "2 title"])
        for property in ["isbn", "cover", "titel"] {
            #expect(throws: FetchError.self) {
                try shelf.context.updateEach([updates([property], [(1, [.integer(1)])])])
            }
        }
        #expect(throws: StoreError.self) {
            try shelf.context.updateEach([updates(["publisher"], [(1, [.integer(99)])])])
        }
        try shelf.context.updateEach([updates(["publisher"], [(1, [.integer(2)])])])
        #expect(try shelf.context.object(of: Book.self, id: 1)?.publisher?.id == 2)
    }

    @Test func updatesBeyondOneBatchAreSaved() throws {
        let shelf = try Shelf()
        for number in 0..<1_200 { try shelf.context.insert(Author.self).name = "\(number)" }
        try shelf.context.save()
        var updates = ObjectUpdates(of: Author.self, setting: ["born"])
        let ids = try shelf.context.ids(FetchRequest<Author>())
        for id in ids { updates.append(id: id, values: [.integer(id % 1_000)]) }
        try shelf.context.updateEach([updates])
        #expect(
            try shelf.store.rows("SELECT count(*) FROM Author WHERE born = id % 1000") == ["\(ids.count)"])
    }

    /// The changed properties are a set of 64 bits, in which all properties from the 64th on share one bit.
    @Test func updateEachKeepsOtherPropertiesOfWideEntity() throws {
        let names = (0..<70).map { "value\($0)" }
        let wide = EntityDescription("Wide", attributes: names.map { .integer64($0) })
        let context = try directory.context(
            ManagedObjectModel(versionIdentifiers: ["1"], entities: [wide]))
        let object = try context.insert(entity: "Wide")
        for (number, name) in names.enumerated() { try object.setValue(.integer(Int64(number)), of: name) }
        try context.save()
        for name in ["value0", "value62", "value66"] {
            var updates = ObjectUpdates(of: ManagedObject.self, entity: "Wide", setting: [name])
            updates.append(id: object.id, values: [.integer(-1)])
            try context.updateEach([updates])
        }
        #expect(
            try directory.rows("SELECT value0, value1, value62, value63, value65, value66, value69 FROM Wide")
                == ["-1|1|-1|63|65|-1|69"])
    }

    @Test func updateEachRequiresStoreIfThereAreSeveral() throws {
        let coordinator = PersistentStoreCoordinator(model: try Library.model())
        for _ in 0..<2 { try coordinator.addStore(.memory) }
        let context = ManagedObjectContext(coordinator: coordinator)
        for store in coordinator.stores {
            let author = try context.insert(Author.self)
            try context.assign(author, to: store)
            author.name = "Jane"
        }
        try context.save()
        let ids = try context.objects(of: Author.self).map(\.id)
        var anywhere = ObjectUpdates(of: Author.self, setting: ["born"])
        anywhere.append(id: ids[1], values: [.integer(1775)])
        #expect(throws: FetchError.self) { try context.updateEach([anywhere]) }
        var named = ObjectUpdates(
            of: Author.self, setting: ["born"], in: coordinator.stores[1].metadata.identifier)
        named.append(id: ids[1], values: [.integer(1775)])
        try context.updateEach([named])
        #expect(try context.objects(of: Author.self).map(\.born) == [nil, 1775])
    }
}
