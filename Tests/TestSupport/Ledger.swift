package import ObjectStore

/// A counter and its entries, which several programs write at the same time. Each save adds one to the counter and
/// inserts one entry, so the counter is the number of entries unless a save was lost.
package enum Ledger {
    package static func model() throws -> ManagedObjectModel {
        try model("ledger", [.string("author", .required).preservedInHistory()])
    }

    /// The model after a change: each entry has a memo, and the authors have another name.
    package static func nextModel() throws -> ManagedObjectModel {
        try model(
            "ledger 2",
            [
                .string("writer", .required, renamedFrom: "author").preservedInHistory(),
                .string("memo", default: "none"),
            ])
    }

    private static func model(
        _ version: String, _ entry: [AttributeDescription]
    ) throws -> ManagedObjectModel {
        try ManagedObjectModel(
            versionIdentifiers: [version],
            entities: [
                EntityDescription(
                    "Counter",
                    attributes: [
                        .integer64("total", .required), .string("note"),
                        .integer64("entryCount", default: 0).derived(from: "entries.@count"),
                    ],
                    relationships: [.toMany("entries", destination: "Entry", inverse: "counter")]),
                EntityDescription(
                    "Entry",
                    attributes: entry + [.integer64("number", .required)],
                    relationships: [.toOne("counter", destination: "Counter", inverse: "entries")]),
            ])
    }

    /// Opens the store with the next model, which it gets by a migration.
    ///
    /// - Returns: A context, and whether this call has migrated the store.
    package static func migrated(
        _ store: StoreConfiguration, _ progress: @escaping @Sendable (MigrationProgress) -> Void = { _ in }
    ) throws -> (context: ManagedObjectContext, hasMigrated: Bool) {
        let coordinator = PersistentStoreCoordinator(model: try nextModel())
        let report = try coordinator.addStore(
            store, migrating: StoreMigration(versions: [model(), nextModel()], progress: progress))
        return (ManagedObjectContext(coordinator: coordinator), report != nil)
    }

    package static let counters = FetchRequest<ManagedObject>(entity: "Counter")
    package static let entries = FetchRequest<ManagedObject>(
        entity: "Entry", orderedBy: [FetchOrder("author"), FetchOrder("number")])

    package static func context(_ store: StoreConfiguration, author: String) throws -> ManagedObjectContext {
        let coordinator = PersistentStoreCoordinator(model: try model())
        try coordinator.addStore(store)
        let context = ManagedObjectContext(coordinator: coordinator)
        context.transactionAuthor = author
        return context
    }

    /// Makes the store with a counter of 0.
    package static func make(_ store: StoreConfiguration) throws {
        let context = try context(store, author: "maker")
        try context.insert(entity: "Counter").setValue(.integer(0), of: "total")
        try context.save()
        context.coordinator.close()
    }

    /// Adds one to the counter and inserts an entry, as often as other programs save first.
    package static func add(_ number: Int64, to context: ManagedObjectContext) throws {
        while true {
            let counter = try context.fetch(counters)[0]
            guard case .integer(let total) = try counter.value(of: "total") else { return }
            try counter.setValue(.integer(total + 1), of: "total")
            let entry = try context.insert(entity: "Entry")
            try entry.setValue(.string(context.transactionAuthor ?? ""), of: "author")
            try entry.setValue(.integer(number), of: "number")
            try entry.setTarget(counter, of: "counter")
            do {
                return try context.save()
            } catch is ConflictError {
                context.rollback()
            }
        }
    }

    package static func total(_ context: ManagedObjectContext) throws -> Int64 {
        guard case .integer(let total) = try context.fetch(counters)[0].value(of: "total") else { return -1 }
        return total
    }
}
