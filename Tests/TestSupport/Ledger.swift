package import ObjectStore

/// A counter and its entries, which several programs write at the same time. Each save adds one to the counter and
/// inserts one entry, so the counter is the number of entries unless a save was lost.
package enum Ledger {
    package static func model() throws -> ManagedObjectModel {
        try ManagedObjectModel(
            versionIdentifiers: ["ledger"],
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
                    attributes: [
                        .string("author", .required).preservedInHistory(), .integer64("number", .required),
                    ],
                    relationships: [.toOne("counter", destination: "Counter", inverse: "entries")]),
            ])
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
