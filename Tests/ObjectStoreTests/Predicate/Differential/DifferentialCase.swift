import ObjectStore

/// A database with generated objects, for all executions of a predicate, and the same objects in a store that searches its
/// rows itself, and in PostgreSQL.
struct DifferentialStore {
    let directory = TemporaryStore()
    let model: ManagedObjectModel
    let context: ManagedObjectContext
    let rowContext: ManagedObjectContext
    /// The objects in PostgreSQL, or `nil` if a test does not need them.
    let serverContext: ManagedObjectContext?
    private(set) var objects: [[ManagedObject]] = []

    /// - Parameter server: Returns the store in PostgreSQL, or `nil` if a test does not need one.
    init(_ source: inout ChoiceSource, server: ((TemporaryStore) -> StoreConfiguration)? = nil) throws {
        model = try ManagedObjectModel(entities: GeneratedModel.entities(&source))
        var sameAgain = source
        var sameForServer = source
        let coordinator = PersistentStoreCoordinator(model: model)
        try coordinator.addStore(.memory)
        rowContext = ManagedObjectContext(coordinator: coordinator)
        _ = try Self.fill(rowContext, &sameAgain)
        if let server {
            let coordinator = PersistentStoreCoordinator(model: model)
            try coordinator.addStore(server(directory))
            let made = ManagedObjectContext(coordinator: coordinator)
            _ = try Self.fill(made, &sameForServer)
            serverContext = made
        } else {
            serverContext = nil
        }
        context = try directory.context(model)
        objects = try Self.fill(context, &source)
    }

    private static func fill(
        _ context: ManagedObjectContext, _ source: inout ChoiceSource
    ) throws -> [[ManagedObject]] {
        let objects = try context.model.entities.map { entity in
            try (0..<source.number(below: 10)).map { _ in try context.insert(entity: entity.name) }
        }
        for object in objects.joined() { try fill(object, among: objects, &source) }
        try context.save()
        return objects
    }

    private static func fill(
        _ object: ManagedObject, among objects: [[ManagedObject]], _ source: inout ChoiceSource
    ) throws {
        for column in object.entity.columns {
            switch column.content {
            case .attribute(let attribute):
                guard source.chance(4, in: 5) else { continue }
                try object.setValue(
                    attribute.elementType.map { GeneratedValues.list(of: $0, &source) }
                        ?? GeneratedValues.value(attribute.type, &source), of: column.name)
            case .toOne(let relationship):
                let targets = objects[relationship.destinationIndex]
                guard !targets.isEmpty, source.chance(3, in: 4) else { continue }
                try object.setTarget(source.pick(targets), of: column.name)
            }
        }
        for relationship in object.entity.toMany where relationship.link != nil {
            for target in objects[relationship.destinationIndex] where source.chance(1, in: 3) {
                try object.objects(of: relationship.name).insert(target)
            }
        }
    }

    // MARK: - All executions

    /// The IDs that each execution finds, also in the store that searches its rows itself and in PostgreSQL.
    struct Outcome: Equatable {
        var inMemory: Set<Int64>
        var inSQL: Set<Int64>
        var inRows: Set<Int64>
        var inServer: Set<Int64>?
        var agrees: Bool { inMemory == inSQL && inRows == inSQL && inServer ?? inSQL == inSQL }
    }

    func outcome(_ predicate: FetchPredicate, of entity: Entity) throws -> Outcome {
        let compiled = try predicate.compiled(for: entity, in: model)
        let matching = try objects[entity.index].filter { try compiled.matches($0) }
        let request = FetchRequest<ManagedObject>(entity: entity.name, matching: predicate)
        return Outcome(
            inMemory: Set(matching.map(\.id)), inSQL: Set(try context.ids(request)),
            inRows: Set(try rowContext.ids(request)),
            inServer: try serverContext.map { Set(try $0.ids(request)) })
    }

    /// The values of the objects, for the message of a failure.
    func dump() -> String {
        var lines: [String] = []
        for object in objects.joined() {
            let values = object.entity.columns.compactMap { column in
                (try? object.value(of: column.name)).flatMap { $0 == .null ? nil : "\(column.name)=\($0)" }
            }
            lines.append("\(object.objectID): " + values.joined(separator: ", "))
        }
        return lines.joined(separator: "\n")
    }
}
