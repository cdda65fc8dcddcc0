/// The state of one entity mapping during a migration.
final class EntityMigrationRun {
    let part: ResolvedMapping.EntityPart
    let policy: EntityMigrationPolicy
    let hasOwnPolicy: Bool
    /// Whether the policy's `createRelationships` is called for every object.
    let createsRelationships: Bool
    let keepsIDs: Bool
    /// The columns of relationships that are copied when an object is created, because the target objects keep
    /// their ids.
    var columnsToKeep: [(source: Int, destination: Int)] = []
    /// The other relationships, which are set once all objects exist.
    var relationships: [ResolvedMapping.RelationshipPart]
    var associations = InstanceAssociations()

    init(_ part: ResolvedMapping.EntityPart, keepsIDs: Bool) {
        self.part = part
        self.keepsIDs = keepsIDs
        let policy = part.mapping.policy?()
        self.policy = policy ?? EntityMigrationPolicy()
        hasOwnPolicy = policy != nil
        createsRelationships = policy?.createsRelationships ?? false
        relationships = part.relationships
    }

    /// Whether every source object becomes one object with the same id.
    var keepsEveryObject: Bool {
        keepsIDs && !hasOwnPolicy && part.mapping.sourcePredicate == .all
    }

    /// Whether the run reads each source object to create destination objects.
    var makesObjects: Bool { part.source != nil && (part.destination != nil || hasOwnPolicy) }

    /// Whether the run reads the source objects again once all destination objects exist.
    var makesRelationships: Bool {
        part.source != nil && part.destination != nil && (createsRelationships || !relationships.isEmpty)
    }

    /// Copies the column of a relationship when an object is created, instead of setting it later.
    func keep(_ relationship: ResolvedMapping.RelationshipPart) {
        guard let source = part.source?.column(named: relationship.source.name),
            let destination = part.destination?.column(named: relationship.destination.name)
        else { return }
        columnsToKeep.append((source, destination))
        relationships.removeAll { $0.destination === relationship.destination }
    }

    var mapping: EntityMapping { part.mapping }
}
