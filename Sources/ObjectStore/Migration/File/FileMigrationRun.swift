internal import Platform

/// A migration of a store in a file that is read and written as a whole.
///
/// Each mapping model copies the objects from one memory store to the next. The result is written to a new
/// file, which then replaces the old one.
struct FileMigrationRun: MigrationRun {
    private let path: String
    private let format: any StoreFormat
    private let plan: MigrationPlan
    private let meter: MigrationMeter
    private let contents: StoreContents
    /// The stamp of the file when it was read.
    private let stamp: FileStamp?

    init(path: String, format: any StoreFormat, plan: MigrationPlan, meter: MigrationMeter) throws {
        self.path = path
        self.format = format
        self.plan = plan
        self.meter = meter
        stamp = try FileStamp(of: path)
        meter.notify(.examining, 0)
        contents = try format.read(path, model: plan.source)
        meter.notify(.examining, 1)
    }

    var objectCount: Int {
        plan.source.entities.reduce(0) { $0 + contents.tables.count(of: $1) }
    }

    var reasonsToCopy: [String?] {
        plan.steps.map { _ in "the file is written as a whole" }
    }

    /// Does nothing, because `init` has already read the whole file.
    func examine() {}

    func migrate(_ files: MigrationFiles) throws {
        var store = MemoryStore(tables: contents.tables, identity: contents.metadata)
        for (position, step) in plan.steps.enumerated() {
            store = try copyObjects(step, from: store, position)
        }
        meter.notify(.checking, 0)
        for entity in store.tables.model.entities {
            guard let (columns, ids) = store.tables.duplicates(of: entity) else { continue }
            let other = ObjectID(entity: entity.name, id: ids[1], store: nil)
            throw ValidationError([.init(of: entity, id: ids[0], notUnique: columns, other: other)])
        }
        let file = try FileReplacement(of: path)
        try format.write(StoreContents(metadata: store.metadata, tables: store.tables), to: file)
        meter.notify(.checking, 1)
        guard try FileStamp(of: path) == stamp else {
            throw StoreError(
                .other,
                "another program changed the file during the migration; nothing was migrated, try again",
                path: path)
        }
        meter.notify(.committing, 0)
        try file.finish().requireDurable()
        meter.notify(.committing, 1)
    }

    private func copyObjects(
        _ step: ResolvedMapping, from old: MemoryStore, _ position: Int
    ) throws -> MemoryStore {
        let model = step.model.destination
        var metadata = old.metadata
        metadata.versionHash = model.versionHash
        metadata.versionIdentifiers = model.versionIdentifiers
        let new = MemoryStore(
            tables: MemoryTables(model: model, entries: metadata.entries), identity: metadata)
        let source = PersistentStoreCoordinator(model: step.model.source)
        try source.addStore(old)
        let destination = PersistentStoreCoordinator(model: model)
        try destination.addStore(new)
        // All saves are in one transaction because references are checked at its end.
        try new.begin()
        let manager = try MigrationManager(step, from: source, to: destination) { part in
            meter.notify(.copying, (Double(position) + part) / Double(plan.steps.count))
        }
        try manager.migrate()
        try new.commit()
        for (from, to) in step.survivors {
            new.tables.noteID(try old.largestID(of: from), of: to)
        }
        return new
    }
}
