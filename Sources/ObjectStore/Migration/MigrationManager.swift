public import CivilTime

/// A manager that performs a mapping model. It reads the objects of one store and creates those of another.
///
/// The manager saves objects in batches, so its use of memory does not depend on their number. An object
/// keeps its id if its entity comes from only one entity. Unique rules are not checked, so a store that
/// contains two equal names is migrated with both.
public final class MigrationManager {
    /// The number of objects that are read between two saves.
    private static let batch = 500

    /// The mapping model that the manager performs.
    public let mapping: MappingModel
    /// The context of the old objects. It is only read.
    public let sourceContext: ManagedObjectContext
    /// The context of the new objects.
    public let destinationContext: ManagedObjectContext
    /// The time at which the migration began, which is the value of `now()` in expressions.
    public let date: Timestamp
    private let runs: [EntityMigrationRun]
    private let progress: (Double) throws -> Void
    /// The number of source objects read so far in all stages, and their final number.
    private var reads = (done: 0, all: 0)

    /// Creates a manager for one mapping model.
    ///
    /// - Parameter progress: called from time to time with the part that is done, from 0 to 1. An error that
    ///   it throws ends the migration.
    init(
        _ resolved: ResolvedMapping, from source: PersistentStoreCoordinator,
        to destination: PersistentStoreCoordinator, progress: @escaping (Double) throws -> Void
    ) throws {
        mapping = resolved.model
        date = resolved.now
        self.progress = progress
        sourceContext = ManagedObjectContext(coordinator: source)
        destinationContext = ManagedObjectContext(coordinator: destination)
        destinationContext.isMigrating = true
        runs = resolved.parts.map { part in
            let feeders = part.destination.map(resolved.parts(to:)) ?? []
            return EntityMigrationRun(part, keepsIDs: feeders.filter { $0.source != nil }.count == 1)
        }
        for run in runs {
            guard run.keepsIDs, let from = run.part.source, let to = run.part.destination else { continue }
            try destination.reserveIDs(of: to, upTo: source.store(at: 0).largestID(of: from))
        }
        for run in runs where !run.createsRelationships {
            for relationship in run.part.relationships where keepsIDs(relationship) { run.keep(relationship) }
        }
    }

    /// Whether the values of a relationship's column can be copied unchanged. This requires that the target
    /// objects keep their ids and have no column for the inverse relationship.
    private func keepsIDs(_ relationship: ResolvedMapping.RelationshipPart) -> Bool {
        guard !relationship.destination.description.isToMany, !relationship.source.description.isToMany,
            case .toMany = relationship.destination.inverse
        else { return false }
        let targets = runs.filter { isFed($0, by: relationship) }
        return targets.count == 1 && targets[0].keepsEveryObject
    }

    /// Whether the run turns objects of the relationship's source entity into objects of its destination
    /// entity.
    private func isFed(_ run: EntityMigrationRun, by relationship: ResolvedMapping.RelationshipPart) -> Bool {
        run.part.source === mapping.source.destination(of: relationship.source)
            && run.part.destination === mapping.destination.destination(of: relationship.destination)
    }

    /// Migrates every object and saves. If it throws, the destination is unusable.
    func migrate() throws {
        reads.all = try countReads()
        try progress(0)
        for run in runs {
            try run.policy.begin(run.mapping, with: self)
            try createInstances(run)
            try run.policy.endInstanceCreation(in: run.mapping, with: self)
            try destinationContext.save()
        }
        for run in runs {
            try createRelationships(run)
            try run.policy.endRelationshipCreation(in: run.mapping, with: self)
            try destinationContext.save()
        }
        for run in runs {
            try run.policy.performCustomValidation(of: run.mapping, with: self)
            try run.policy.end(run.mapping, with: self)
        }
        try destinationContext.save()
        try destinationContext.deriveAllRelatedValues()
    }

    // MARK: - For policies

    /// Creates a destination object from a source object as the property mappings specify, and records the
    /// association.
    public func createDestinationInstance(
        for source: ManagedObject, in mapping: EntityMapping
    ) throws -> ManagedObject {
        let run = try run(mapping.name)
        guard let entity = run.part.destination else {
            throw PropertyError(
                entity: source.entity.name, property: mapping.name,
                problem: "is a mapping without a destination")
        }
        let isFirst = run.associations.destinations(of: source.id).isEmpty
        let values = try run.part.attributes.map { ($0.column, try value(of: $0, entity, source)) }
        let object = try destinationContext.insert(
            into: member(of: entity, values), id: run.keepsIDs && isFirst ? source.id : nil)
        for (column, value) in values {
            destinationContext.set(value, inColumn: column, of: object)
        }
        for columns in run.columnsToKeep {
            destinationContext.set(source.values[columns.source], inColumn: columns.destination, of: object)
        }
        run.associations.add(source: source.id, destination: object.id)
        return object
    }

    /// Returns the entity of an object with these values: the one that they name, if the entity is a hierarchy.
    private func member(of entity: Entity, _ values: [(column: Int, value: AttributeValue)]) throws -> Entity
    {
        guard entity.inheritance != nil else { return entity }
        let named = values.first { $0.column == Entity.Inheritance.column }?.value ?? .null
        guard case .string(let name) = named, let member = mapping.destination.entity(named: name),
            entity.includes(member)
        else {
            throw ValidationError([
                .init(
                    entity: entity.name, id: nil, property: Entity.Inheritance.attribute, rule: .required,
                    detail: "the value is not the name of an entity of the hierarchy")
            ])
        }
        return member
    }

    /// Records that a destination object was created from a source object.
    public func associate(
        _ source: ManagedObject, with destination: ManagedObject, in mapping: EntityMapping
    ) throws {
        try run(mapping.name).associations.add(source: source.id, destination: destination.id)
    }

    /// Returns the destination objects that the named entity mapping created from a source object.
    public func destinationObjects(
        of source: ManagedObject, inMapping name: String
    ) throws -> [ManagedObject] {
        let run = try run(name)
        guard let entity = run.part.destination else { return [] }
        return try run.associations.destinations(of: source.id).compactMap { id in
            try destinationContext.object(of: entity, id: id)
        }
    }

    /// Returns the source objects from which the named entity mapping created a destination object.
    public func sourceObjects(
        of destination: ManagedObject, inMapping name: String
    ) throws -> [ManagedObject] {
        let run = try run(name)
        guard let entity = run.part.source else { return [] }
        return try run.associations.sources(of: destination.id).compactMap { id in
            try sourceContext.object(of: entity, id: id)
        }
    }

    /// Sets the relationships of a created object as the property mappings specify.
    public func createRelationships(for destination: ManagedObject, in mapping: EntityMapping) throws {
        let run = try run(mapping.name)
        for source in try sourceObjects(of: destination, inMapping: mapping.name) {
            for relationship in run.relationships {
                try connect(destination, part: relationship, to: source)
            }
        }
    }

    private func run(_ name: String) throws -> EntityMigrationRun {
        guard let run = runs.first(where: { $0.mapping.name == name }) else {
            throw PropertyError(
                entity: "the mapping model", property: name, problem: "is not a mapping of it")
        }
        return run
    }

    // MARK: - Objects

    private func countReads() throws -> Int {
        try runs.reduce(0) { sum, run in
            let stages = (run.makesObjects ? 1 : 0) + (run.makesRelationships ? 1 : 0)
            guard let entity = run.part.source, stages > 0 else { return sum }
            return try sum + stages * sourceContext.count(request(for: entity, run))
        }
    }

    private func request(for entity: Entity, _ run: EntityMigrationRun) -> FetchRequest<ManagedObject> {
        FetchRequest(
            entity: entity.name, matching: run.mapping.sourcePredicate, orderedBy: [FetchOrder("id")])
    }

    private func createInstances(_ run: EntityMigrationRun) throws {
        guard run.makesObjects, let entity = run.part.source else { return }
        try forEachBatch(of: entity, run) { sources in
            for source in sources {
                try run.policy.createDestinationInstances(for: source, in: run.mapping, with: self)
            }
        }
    }

    private func forEachBatch(
        of entity: Entity, _ run: EntityMigrationRun, _ body: ([ManagedObject]) throws -> Void
    ) throws {
        let stream = try sourceContext.stream(request(for: entity, run))
        var isAtEnd = false
        while !isAtEnd {
            var batch: [ManagedObject] = []
            batch.reserveCapacity(Self.batch)
            while batch.count < Self.batch, let object = try stream.next() { batch.append(object) }
            isAtEnd = batch.count < Self.batch
            try body(batch)
            try destinationContext.save()
            reads.done += batch.count
            try progress(Double(reads.done) / Double(max(reads.all, 1)))
        }
    }

    private func value(
        of attribute: ResolvedMapping.AttributePart, _ entity: Entity, _ source: ManagedObject
    ) throws -> AttributeValue {
        let column = entity.columns[attribute.column]
        let value: AttributeValue
        switch attribute.value {
        case .newUUID:
            let identifier = UUIDValue()
            value = column.type == .uuid ? .uuid(identifier) : .string(identifier.description)
        case .expression(let expression):
            let answer = try expression.evaluate(source)
            guard let converted = answer.converted(to: column.type) else {
                throw ValidationError([
                    .init(
                        entity: entity.name, id: source.id, property: column.name, rule: .type,
                        detail: "a \(answer.typeName) that \(column.type.rawValue) cannot hold")
                ])
            }
            value = converted
        }
        return value.isNull ? attribute.whenNil : value
    }

    // MARK: - Relationships

    private func createRelationships(_ run: EntityMigrationRun) throws {
        guard run.makesRelationships, let source = run.part.source, let destination = run.part.destination
        else { return }
        // The row of an object shows which references are `nil`, so most objects need not be fetched.
        let columns = run.relationships.map { source.column(named: $0.source.name) }
        let mayBeSkipped = !run.createsRelationships && !columns.contains(nil)
        try forEachBatch(of: source, run) { sources in
            let concerned =
                mayBeSkipped
                ? sources.filter { object in columns.contains { $0.map { !object.values[$0].isNull } ?? true }
                }
                : sources
            let ids = concerned.flatMap { run.associations.destinations(of: $0.id) }
            let made = try destinationContext.objects(
                ids, in: destinationContext.registry(of: destination, at: 0))
            for object in made {
                if run.createsRelationships {
                    try run.policy.createRelationships(for: object, in: run.mapping, with: self)
                } else {
                    try createRelationships(for: object, in: run.mapping)
                }
            }
        }
    }

    private func connect(
        _ object: ManagedObject, part: ResolvedMapping.RelationshipPart, to source: ManagedObject
    ) throws {
        let former = try formerIDs(part.source, of: source)
        guard !former.isEmpty else { return }
        let end = part.destination
        let feeders = runs.filter { isFed($0, by: part) }
        let ids = former.flatMap { id in feeders.flatMap { $0.associations.destinations(of: id) } }
        if end.description.isToMany {
            let entity = mapping.destination.destination(of: end)
            let members = try object.objects(of: end.name)
            let registry = destinationContext.registry(of: entity, at: 0)
            for member in try destinationContext.objects(ids, in: registry) { members.insert(member) }
        } else {
            guard ids.count <= 1 else {
                throw ValidationError([
                    .init(
                        entity: object.entity.name, id: object.id, property: end.name, rule: .type,
                        detail:
                            "\(ids.count) objects for a relationship that is to-one; choose one in a policy")
                ])
            }
            try setTarget(ids.first, end, of: object)
        }
    }

    private func setTarget(_ id: Int64?, _ end: Entity.Relationship, of object: ManagedObject) throws {
        guard let id, let column = object.entity.column(named: end.name) else { return }
        if case .toMany = end.inverse {
            // Only this column stores the relationship. The target object need not be read.
            destinationContext.set(.integer(id), inColumn: column, of: object)
        } else {
            let entity = mapping.destination.destination(of: end)
            let target = try destinationContext.object(of: entity, id: id)
            try destinationContext.setTarget(target, of: object, column: column)
        }
    }

    private func formerIDs(_ relationship: Entity.Relationship, of source: ManagedObject) throws -> [Int64] {
        switch source.entity.property(named: relationship.name) {
        case .toOne(let column):
            if case .integer(let id) = source.values[column] { [id] } else { [] }
        case .toMany(let position): try sourceContext.memberIDs(of: source, position: position)
        case .attribute, nil: []
        }
    }
}
