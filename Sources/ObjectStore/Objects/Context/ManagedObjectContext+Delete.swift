extension ManagedObjectContext {
    /// Deletes an object and applies the delete rules to related objects.
    ///
    /// Deleting an object twice does nothing.
    ///
    /// - Throws: A `DeleteDeniedError` if a `deny` rule of the object, or of one that a `cascade` reaches, prevents
    ///   the deletion. Nothing changes then. A ``StoreError`` of the code `misuse` if the object belongs to another
    ///   context.
    public func delete(_ object: ManagedObject) throws {
        try requireOwn(object)
        guard object.isAlive else { return }
        let doomed = try reachedByCascade(from: object)
        let doomedSet = Set(doomed)
        let denials = try doomed.flatMap { try self.denials(of: $0, besides: doomedSet) }
        guard denials.isEmpty else { throw DeleteDeniedError(object: object.objectID, denials: denials) }
        for object in doomed {
            try release(object, besides: doomedSet)
        }
        for object in doomed {
            recordDeletion(of: object)
        }
    }

    private func reachedByCascade(from object: ManagedObject) throws -> [ManagedObject] {
        var reached = [object]
        var seen: Set<ManagedObject> = [object]
        var next = 0
        while next < reached.count {
            let current = reached[next]
            next += 1
            for (property, relationship) in relationships(of: current.entity)
            where relationship.description.deleteRule == .cascade {
                for other in try others(of: current, property) where seen.insert(other).inserted {
                    reached.append(other)
                }
            }
        }
        return reached
    }

    private func denials(
        of object: ManagedObject, besides doomed: Set<ManagedObject>
    ) throws -> [DeleteDeniedError.Denial] {
        var denials: [DeleteDeniedError.Denial] = []
        for (property, relationship) in relationships(of: object.entity)
        where relationship.description.deleteRule == .deny {
            let remaining = try others(of: object, property).filter { !doomed.contains($0) }
            guard !remaining.isEmpty else { continue }
            denials.append(
                .init(
                    object: object.objectID, relationship: relationship.name,
                    remaining: remaining.map(\.objectID)))
        }
        return denials
    }

    /// Removes the references of other objects to an object that is about to be deleted.
    private func release(_ object: ManagedObject, besides doomed: Set<ManagedObject>) throws {
        for (property, relationship) in relationships(of: object.entity) {
            switch (property, relationship.inverse) {
            case (.toMany(let position), .toMany(let inverse)):
                // A pair cannot remain without one of its ends, regardless of the rule.
                for other in try others(of: object, property) {
                    setPair(object, position: position, with: other, inverse: inverse, isLinked: false)
                }
            case (_, .toOne(let column)) where relationship.description.deleteRule != .noAction:
                for other in try others(of: object, property) where !doomed.contains(other) {
                    set(.null, inColumn: column, of: other)
                }
            // The remaining cases are references in the object's own row, and references that `noAction` keeps.
            default: break
            }
        }
    }

    private func others(of object: ManagedObject, _ property: Entity.Property) throws -> [ManagedObject] {
        switch property {
        case .toOne(let column): try target(of: object, column: column).map { [$0] } ?? []
        case .toMany(let position): try members(of: object, position: position)
        case .attribute: []
        }
    }

    private func relationships(of entity: Entity) -> [(Entity.Property, Entity.Relationship)] {
        entity.relationships.compactMap { relationship in
            entity.property(named: relationship.name).map { ($0, relationship) }
        }
    }
}
