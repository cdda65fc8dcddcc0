import ObjectStore
import Testing

/// Transactions inside transactions, such as those inside a write of a container.
@Suite struct NestedTransactionTests {
    struct Refusal: Error {}
    let directory = TemporaryStore()

    private func names(_ context: ManagedObjectContext) throws -> [String] {
        try context.fetch(Author.all.ordered(by: \.name)).map(\.name)
    }

    private func add(_ name: String, to context: ManagedObjectContext) throws {
        try context.insert(Author.self).name = name
        try context.save()
    }

    /// Runs a transaction that throws at its end.
    private func refuse(_ coordinator: PersistentStoreCoordinator, _ body: () throws -> Void) throws {
        do {
            try coordinator.transaction {
                try body()
                throw Refusal()
            }
        } catch is Refusal {}
    }

    @Test(arguments: TestedStore.allCases)
    func innerTransactionThatThrowsLosesOnlyItsSaves(_ kind: TestedStore) throws {
        let context = try kind.context(in: directory)
        let coordinator = context.coordinator
        var sent: [SavedChanges] = []
        let observation = coordinator.observeSaves { sent.append($0) }
        var (inside, afterwards): ([String], [String]) = ([], [])
        var reportsBeforeEnd = 0
        try coordinator.transaction {
            try add("A", to: context)
            try coordinator.transaction { try add("B", to: context) }
            try refuse(coordinator) {
                try add("C", to: context)
                try coordinator.transaction { try add("D", to: context) }
                inside = try names(context)
            }
            afterwards = try names(context)
            try add("E", to: context)
            reportsBeforeEnd = sent.count
        }
        #expect(inside == ["A", "B", "C", "D"])
        #expect(afterwards == ["A", "B"])
        #expect(reportsBeforeEnd == 0)
        #expect(try names(context) == ["A", "B", "E"])
        #expect(sent.map(\.inserted.count) == [1, 1, 1])
        #expect(try names(ManagedObjectContext(coordinator: coordinator)) == ["A", "B", "E"])
        withExtendedLifetime(observation) {}
    }

    @Test(arguments: TestedStore.allCases)
    func outerTransactionThatThrowsLosesInnerSaves(_ kind: TestedStore) throws {
        let context = try kind.context(in: directory)
        try add("before", to: context)
        try refuse(context.coordinator) {
            try context.coordinator.transaction { try add("A", to: context) }
        }
        #expect(try names(context) == ["before"])
        try add("after", to: context)
        #expect(try names(context) == ["after", "before"])
    }

    /// The inner transaction is the first that writes.
    @Test(arguments: TestedStore.allCases)
    func storeThatInnerTransactionOpenedKeepsLaterSaves(_ kind: TestedStore) throws {
        let branches = try Branches([kind, kind])
        let context = branches.context
        try branches.coordinator.transaction {
            try refuse(branches.coordinator) {
                try branches.insert("A", in: 0)
                try branches.insert("B", in: 1)
                try context.save()
            }
            try branches.insert("C", in: 1)
            try context.save()
        }
        #expect(try branches.titles(in: 0) == [])
        #expect(try branches.titles(in: 1) == ["C"])
        #expect(!context.hasChanges)
    }

    @Test(arguments: TestedStore.inFiles + [.memory, .sqliteInMemory])
    func containerRunsTransactionsInsideItsClosures(_ kind: TestedStore) async throws {
        let container = try PersistentContainer(
            StoreConfiguration(try #require(kind.storeKind), path: kind.path(in: directory)),
            model: try Library.model())
        let names = try await container.write { context in
            try context.coordinator.transaction { try context.insert(Author.self).name = "A" }
            do {
                try context.coordinator.transaction {
                    try context.insert(Author.self).name = "B"
                    try context.save()
                    throw Refusal()
                }
            } catch is Refusal {}
            try context.insert(Author.self).name = "C"
            try context.save()
            return try context.fetch(Author.all.ordered(by: \.name)).map(\.name)
        }
        // The context of the refused transaction was rolled back, with what it had not saved before.
        #expect(names == ["C"])
        #expect(
            try await container.read { context in
                try context.coordinator.transaction { try context.count(Author.all) }
            } == 1)
        await container.close()
    }
}
