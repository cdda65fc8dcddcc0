import Glibc
import ObjectStore
import ObjectStorePostgreSQL
import ObjectStoreXML
import TestSupport

/// Checks of the stores as they are shipped, optimized. Tests of a debug build cannot replace them.
///
///     StoreCheck keep DIRECTORY    stores, copies and finds values that are hard to store, in every kind of store
///     StoreCheck save KIND PATH    makes the store, or changes it, in one save
///     StoreCheck share PATH AUTHOR COUNT    shares the store of a ledger, and prints the number of each saved entry
///     StoreCheck migrate PATH    migrates the store of a ledger, adds an entry, and prints 1 if it has migrated the store, or 2
///     StoreCheck migrate PATH ACTIVITY    prints 1 at this activity of the migration and waits for its standard input
///
/// A path that begins with `schema=` is that of a store in PostgreSQL.
@main
struct StoreCheck {
    private static let kinds: [StoreKind] = [.sqlite, .xml, .binary]

    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        switch (arguments.first, arguments.count) {
        case ("keep", 2):
            try keepEverything(in: arguments[2])
        case ("save", 3):
            guard let kind = kinds.first(where: { $0.name == arguments[2] }) else {
                throw Failure("no kind \(arguments[2])")
            }
            try save(StoreConfiguration(kind, path: arguments[3]))
        case ("share", 4):
            try share(arguments[2], author: arguments[3], count: Int64(arguments[4]) ?? 0)
        case ("migrate", 2):
            try migrate(arguments[2])
        case ("migrate", 3):
            try migrate(arguments[2], stoppingAt: arguments[3])
        default:
            throw Failure(
                "usage: StoreCheck keep DIRECTORY | save KIND PATH | share PATH AUTHOR COUNT | migrate PATH [ACTIVITY]"
            )
        }
    }

    // MARK: - Save

    private static func save(_ store: StoreConfiguration) throws {
        let context = try context(store)
        let name = try context.count(FetchRequest<ManagedObject>(entity: "Sample")) == 0 ? "old" : "new"
        // Large enough to be written in several chunks.
        let text = String(repeating: "\(name) ", count: 100_000)
        if let object = try context.fetch(FetchRequest<ManagedObject>(entity: "Sample")).first {
            try object.setValue(.string(text), of: "text")
        } else {
            let object = try context.insert(entity: "Sample")
            try object.setValue(.string(text), of: "text")
            try object.setValue(.integer(1), of: "number")
            try object.setValue(.boolean(true), of: "flag")
        }
        try context.save()
        context.coordinator.close()
    }

    // MARK: - Migrate

    private static func migrate(_ path: String, stoppingAt activity: String? = nil) throws {
        let store = StoreConfiguration(.postgresql, path: path, shared: true)
        let (context, hasMigrated) = try Ledger.migrated(store) { progress in
            guard "\(progress.activity)" == activity else { return }
            print(1)
            fflush(nil)
            _ = readLine()
        }
        let entry = try context.insert(entity: "Entry")
        try entry.setValue(.string("migrator"), of: "writer")
        try entry.setValue(.integer(0), of: "number")
        try context.save()
        context.coordinator.close()
        print(hasMigrated ? 1 : 2)
    }

    // MARK: - Share

    private static func share(_ path: String, author: String, count: Int64) throws {
        let kind: StoreKind = path.hasPrefix("schema=") ? .postgresql : .sqlite
        let context = try Ledger.context(
            StoreConfiguration(kind, path: path, shared: true), author: author)
        // On a busy machine, programs that save without a pause keep others waiting.
        context.coordinator.waitForLocks(seconds: 60)
        for number in stride(from: 1, through: count, by: 1) {
            try Ledger.add(number, to: context)
            print(number)
            fflush(nil)
        }
        context.coordinator.close()
    }

    // MARK: - Keep

    private static func keepEverything(in directory: String) throws {
        let expected = try filled(.memory).contents()
        for kind in kinds {
            let store = StoreConfiguration(kind, path: "\(directory)/first.\(kind)")
            try filled(store).coordinator.close()
            try require(try contents(store) == expected, "\(kind) keeps everything")
            let backup = StoreConfiguration(
                kind, path: "\(directory)/backup.\(kind)", readOnly: true)
            try StoreBackup.copy(store, to: backup.path ?? "")
            try require(try contents(backup) == expected, "a backup of \(kind) has everything")
            for other in kinds where other != kind {
                let copy = StoreConfiguration(other, path: "\(directory)/\(kind).\(other)")
                let context = try context(store)
                if let opened = context.coordinator.store {
                    try context.coordinator.migrate(store: opened, to: copy)
                }
                context.coordinator.close()
                try require(
                    try contents(copy) == expected, "\(kind) becomes \(other) without loss")
            }
        }
        try findAlike(in: directory)
        print("Every kind of store keeps, copies and finds everything.")
    }

    /// Requires that every kind of store finds the same objects, alone and together.
    private static func findAlike(in directory: String) throws {
        let orders = [
            [FetchOrder("string", options: .caseInsensitive)], [FetchOrder("double", ascending: false)],
            [FetchOrder("next.text"), FetchOrder("date")], [FetchOrder("integer64"), FetchOrder("uri")],
        ]
        let memory = try filled(.memory)
        let contexts = try kinds.map {
            try context(StoreConfiguration($0, path: "\(directory)/first.\($0)", readOnly: true))
        }
        // An object of one store and its copies in the others follow one another when only their ids are
        // compared.
        let backups = PersistentStoreCoordinator(model: memory.model)
        for kind in kinds {
            try backups.addStore(
                StoreConfiguration(kind, path: "\(directory)/backup.\(kind)", readOnly: true))
        }
        let several = ManagedObjectContext(coordinator: backups)
        for order in orders {
            let request = FetchRequest<ManagedObject>(entity: "Sample", orderedBy: order)
            let expected = try memory.ids(request)
            for (context, kind) in zip(contexts, kinds) {
                try require(try context.ids(request) == expected, "\(kind) orders by \(order)")
            }
            let merged = try several.fetch(request)
            try require(merged.count == expected.count * kinds.count, "all stores together are fetched")
            try require(
                merged.map(\.id) == expected.flatMap { id in kinds.map { _ in id } },
                "stores are merged by \(order)")
        }
    }

    // MARK: - Stores

    private static func context(_ store: StoreConfiguration) throws -> ManagedObjectContext {
        let coordinator = PersistentStoreCoordinator(model: try Sample.model())
        try coordinator.addStore(store)
        return ManagedObjectContext(coordinator: coordinator)
    }

    private static func filled(_ store: StoreConfiguration) throws -> ManagedObjectContext {
        let context = try context(store)
        try Sample.fill(context)
        return context
    }

    private static func contents(_ store: StoreConfiguration) throws -> [String] {
        let context = try context(store)
        defer { context.coordinator.close() }
        return try context.contents()
    }

    private struct Failure: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) { self.description = description }
    }

    private static func require(_ isTrue: Bool, _ claim: String) throws {
        guard isTrue else { throw Failure("it is not true that \(claim)") }
    }
}
