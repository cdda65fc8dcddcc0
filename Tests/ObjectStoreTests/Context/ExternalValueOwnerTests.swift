import ObjectStore
import ObjectStoreXML
import TestSupport
import Testing

/// External values stay with one owner in merges, conflicts and refreshes, and no value is left without one.
@Suite struct ExternalValueOwnerTests {
    let store = TemporaryStore()

    final class Page: ManagedObject {
        @Attribute(.unique) var number: Int?
        @Attribute var note: String?
        @External var scan: [UInt8]?
        @External(type: .string) var text: String?
    }

    private static func model(_ configurations: [String: Set<String>] = [:]) throws -> ManagedObjectModel {
        try ManagedObjectModel(entities: [EntityDescription(Page.self)], configurations: configurations)
    }

    /// Returns a context with one saved page.
    private func context(_ kind: TestedStore = .sqlite) throws -> (ManagedObjectContext, Page) {
        let context = try kind.context(in: store, Self.model())
        let page = try context.insert(Page.self)
        (page.number, page.scan) = (1, [1])
        try context.save()
        return (context, page)
    }

    private static func count(_ entity: String, _ context: ManagedObjectContext) throws -> Int {
        let other = ManagedObjectContext(coordinator: context.coordinator)
        return try other.count(FetchRequest<ManagedObject>(entity: entity))
    }

    @Test(
        arguments: TestedStore.allCases,
        [ManagedObjectContext.UniquenessPolicy.savedObjectWins, .newObjectWins])
    func mergeLeavesNoValueWithoutOwner(
        _ kind: TestedStore, _ policy: ManagedObjectContext.UniquenessPolicy
    ) throws {
        let (context, page) = try context(kind)
        context.uniquenessPolicy = policy
        let isNew = policy == .newObjectWins
        let second = try context.insert(Page.self)
        (second.number, second.scan) = (1, [2])
        try context.save()
        #expect(page.scan == (isNew ? [2] : [1]))
        #expect(try Self.count("Page_scan", context) == 1)
        let third = try context.insert(Page.self)
        (third.number, third.text) = (1, "x")
        try context.save()
        #expect(page.text == (isNew ? "x" : nil) && page.scan == (isNew ? [2] : [1]))
        #expect(try Self.count("Page_scan", context) == 1)
        #expect(try Self.count("Page_text", context) == (isNew ? 1 : 0))
    }

    @Test(arguments: [ManagedObjectContext.ConflictPolicy.mineWins, .theirsWins])
    func conflictLeavesNoValueWithoutOwner(_ policy: ManagedObjectContext.ConflictPolicy) throws {
        let (context, page) = try context()
        let other = ManagedObjectContext(coordinator: context.coordinator)
        let theirs = try #require(try other.fetch(Page.all).first)
        context.conflictPolicy = policy
        let values: [(mine: [UInt8]?, theirs: [UInt8]?)] = [([2], [3]), (nil, [4]), ([6], nil), ([7], [8])]
        for values in values {
            theirs.scan = [5]
            try other.save()
            #expect(page.scan == [5])
            (page.scan, theirs.scan) = (values.mine, values.theirs)
            try other.save()
            try context.save()
            let winner = policy == .mineWins ? values.mine : values.theirs
            #expect(page.scan == winner && theirs.scan == winner)
            #expect(try Self.count("Page_scan", context) == (winner == nil ? 0 : 1))
        }
    }

    @Test(arguments: TestedStore.allCases)
    func refreshRestoresReplacedValue(_ kind: TestedStore) throws {
        let (context, page) = try context(kind)
        for value: [UInt8]? in [[2], nil] {
            page.scan = value
            try context.refresh(page)
            #expect(page.scan == [1])
            page.note = "changed"
            try context.save()
            let other = ManagedObjectContext(coordinator: context.coordinator)
            #expect(try other.fetch(Page.all).first?.scan == [1])
            #expect(try Self.count("Page_scan", context) == 1)
        }
    }

    @Test func refreshAfterConflictTakesTheirValue() throws {
        let (context, page) = try context()
        let other = ManagedObjectContext(coordinator: context.coordinator)
        let theirs = try #require(try other.fetch(Page.all).first)
        page.scan = [2]
        theirs.scan = [3]
        try other.save()
        #expect(throws: ConflictError.self) { try context.save() }
        try context.refresh(page)
        page.note = "changed"
        try context.save()
        #expect(page.scan == [3])
        #expect(try other.fetch(Page.all).first?.note == "changed")
        #expect(try Self.count("Page_scan", context) == 1)
    }

    @Test(arguments: TestedStore.allCases)
    func childMergesIntoNewObjectOfParent(_ kind: TestedStore) throws {
        let root = try kind.context(in: store, Self.model())
        let page = try root.insert(Page.self)
        (page.number, page.scan, page.note) = (1, [1], "old")
        let child = ManagedObjectContext(parent: root)
        child.uniquenessPolicy = .newObjectWins
        let second = try child.insert(Page.self)
        (second.number, second.scan) = (1, [2])
        try child.save()
        #expect(page.scan == [2] && page.note == "old" && page.isInserted)
        try root.save()
        #expect(try Self.count("Page", root) == 1)
        #expect(try Self.count("Page_scan", root) == 1)
    }

    @Test func parentAndChildReplaceOneValue() throws {
        let (root, page) = try context()
        let child = ManagedObjectContext(parent: root)
        let counterpart = try #require(try child.counterpart(of: page))
        for policy: ManagedObjectContext.ConflictPolicy in [.mineWins, .theirsWins] {
            child.conflictPolicy = policy
            counterpart.scan = [4]
            page.scan = [5]
            try child.save()
            #expect(page.scan == (policy == .mineWins ? [4] : [5]) && counterpart.scan == page.scan)
            try root.save()
            #expect(try Self.count("Page_scan", root) == 1)
        }
    }

    @Test func configurationOfEntityHasItsValues() throws {
        let model = try Self.model(["main": ["Page"]])
        let coordinator = PersistentStoreCoordinator(model: model)
        try coordinator.addStore(.sqlite(path: store.path), configuration: "main")
        let context = ManagedObjectContext(coordinator: coordinator)
        try context.insert(Page.self).scan = [1]
        try context.save()
        #expect(try Self.count("Page_scan", context) == 1)
    }

    @Test(arguments: [StoreKind.sqlite, .xml, .binary])
    func migrationRemovesValuesOfRemovedSubentity(_ kind: StoreKind) throws {
        let item = EntityDescription("Item", attributes: [.string("title"), .binary("data").external()])
        let task = EntityDescription("Task", attributes: [.string("body").external()], parent: "Item")
        let note = EntityDescription("Note", attributes: [.string("text")], parent: "Item")
        let first = try ManagedObjectModel(versionIdentifiers: ["1"], entities: [item, task, note])
        let second = try ManagedObjectModel(versionIdentifiers: ["2"], entities: [item, note])
        let configuration = StoreConfiguration(kind, path: "\(store.directory)/items.\(kind)")
        let old = PersistentStoreCoordinator(model: first)
        try old.addStore(configuration)
        let context = ManagedObjectContext(coordinator: old)
        for entity in ["Task", "Note", "Item"] {
            let object = try context.insert(entity: entity)
            try object.setValue(.binary([1, 2]), of: "data")
            if entity == "Task" { try object.setValue(.string("b"), of: "body") }
        }
        try context.save()
        old.close()
        let new = PersistentStoreCoordinator(model: second)
        try new.addStore(configuration, migrating: StoreMigration(versions: [first, second]))
        let migrated = ManagedObjectContext(coordinator: new)
        let items = try migrated.fetch(FetchRequest<ManagedObject>(entity: "Item"))
        #expect(try items.map { try $0.value(of: "data") } == [.binary([1, 2]), .binary([1, 2])])
        #expect(try migrated.count(FetchRequest<ManagedObject>(entity: "Item_data")) == 2)
    }
}
