/// A copy of everything in a store into an empty store of the same model.
///
/// It includes the objects with their IDs, the relationships, the IDs that must not be used again, and the metadata
/// entries.
struct StoreCopy {
    /// The number of rows that are copied at once.
    private static let rowsAtOnce = 1000

    let model: ManagedObjectModel
    let source: any PersistentStore
    let destination: any PersistentStore

    /// Copies everything or nothing. The copy is durable when this method returns.
    func run() throws {
        try destination.begin()
        do {
            for entity in model.entities where try destination.largestID(of: entity) != 0 {
                throw StoreError(
                    .misuse, "the store to copy into has had objects already; choose a new one")
            }
            for entity in model.entities {
                try copyRows(of: entity)
                try copyLargestID(of: entity)
            }
            for entity in model.entities {
                for relationship in entity.toMany { try copyPairs(of: relationship, entity) }
            }
            try destination.setMetadataEntries(source.metadata.entries)
            try destination.commit()
        } catch {
            destination.rollback()
            throw error
        }
    }

    private func copyRows(of entity: Entity) throws {
        var changes = StoreChanges()
        try source.fetch(StoreRequest(entity: entity)) { id, values in
            changes.rows.append(
                .init(kind: .insert, entity: entity, id: id, values: try values(), columns: .none))
            if changes.rows.count == Self.rowsAtOnce {
                try destination.apply(changes)
                changes.rows.removeAll(keepingCapacity: true)
            }
        }
        try destination.apply(changes)
    }

    /// Makes the destination reserve the IDs of deleted objects. A store derives the reserved IDs from the objects
    /// that it had. So if the object with the largest ID was deleted, one with this ID is inserted and deleted again.
    private func copyLargestID(of entity: Entity) throws {
        let largest = try source.largestID(of: entity)
        guard try destination.largestID(of: entity) < largest else { return }
        let values = RowValues.make(entity.columns.map { $0.isOptional ? .null : $0.type.someValue })
        for kind in [StoreChanges.Row.Kind.insert, .delete] {
            var changes = StoreChanges()
            changes.rows = [.init(kind: kind, entity: entity, id: largest, values: values, columns: .none)]
            try destination.apply(changes)
        }
    }

    private func copyPairs(of relationship: Entity.Relationship, _ entity: Entity) throws {
        guard let link = relationship.link, link.isOwner else { return }
        let hasAny = try FetchPredicate("#\(relationship.name).@count > 0")
        for owner in try source.ids(StoreRequest(entity: entity, predicate: hasAny)) {
            var changes = StoreChanges()
            changes.pairs = try source.linkedIDs(link, of: owner).map { other in
                .init(link: link.index, ownerID: owner, otherID: other, isAdded: true)
            }
            try destination.apply(changes)
        }
    }
}

extension AttributeType {
    /// An arbitrary value of the type.
    fileprivate var someValue: AttributeValue {
        switch self {
        case .string: .string("")
        case .integer16, .integer32, .integer64: .integer(0)
        case .double: .double(0)
        case .decimal: .decimal("0")
        case .boolean: .boolean(false)
        case .date: .date(.init(secondsSince1970: 0))
        case .binary: .binary([])
        case .uuid: .uuid(UUIDValue(high: 0, low: 0))
        case .uri: .uri("")
        }
    }
}
