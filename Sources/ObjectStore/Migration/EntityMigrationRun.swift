/// What is going on in one entity mapping.
final class EntityMigrationRun {
    let part: ResolvedMapping.EntityPart
    let policy: EntityMigrationPolicy
    let hasOwnPolicy: Bool
    /// Whether the policy wants to see every object when all of them are there.
    let createsRelationships: Bool
    let keepsIDs: Bool
    /// The columns of relationships whose objects have the ids they had, so that they are set at once, with
    /// those of the source.
    var columnsToKeep: [(source: Int, destination: Int)] = []
    /// The other relationships, which are set when all objects are there.
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

    /// Whether an object that it makes has the id of the one it was made from, and there is one for each.
    var keepsEveryObject: Bool {
        keepsIDs && !hasOwnPolicy && part.mapping.sourcePredicate == .all
    }

    /// Whether each object of the source is read to be made into others.
    var makesObjects: Bool { part.source != nil && (part.destination != nil || hasOwnPolicy) }

    /// Whether it is read once more when all objects are there.
    var makesRelationships: Bool {
        part.source != nil && part.destination != nil && (createsRelationships || !relationships.isEmpty)
    }

    /// Sets a relationship at once from now on.
    func keep(_ relationship: ResolvedMapping.RelationshipPart) {
        guard let source = part.source?.column(named: relationship.source.name),
            let destination = part.destination?.column(named: relationship.destination.name)
        else { return }
        columnsToKeep.append((source, destination))
        relationships.removeAll { $0.destination === relationship.destination }
    }

    var mapping: EntityMapping { part.mapping }
}
