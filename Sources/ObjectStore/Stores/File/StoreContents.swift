/// The contents of a store file in memory: its metadata, its objects and their relationships.
public struct StoreContents {
    /// The store's description of itself.
    public let metadata: StoreMetadata
    package let tables: MemoryTables

    package init(metadata: StoreMetadata, tables: MemoryTables) {
        self.metadata = metadata
        self.tables = tables
    }

    /// Creates contents without objects.
    public init(metadata: StoreMetadata, model: ManagedObjectModel) {
        self.init(metadata: metadata, tables: MemoryTables(model: model, entries: metadata.entries))
    }

    /// The model of the objects.
    public var model: ManagedObjectModel { tables.model }

    // MARK: - Reading

    /// Calls `body` with the ID and the values of each object of an entity, in ascending order of the IDs.
    public func forEachRow(of entity: Entity, _ body: (Int64, RowValues) throws -> Void) rethrows {
        try tables.forEachRow(of: entity) { id, row in
            try body(id, row)
            return true
        }
    }

    /// Returns the sorted IDs at the other end of a many-to-many relationship.
    public func linkedIDs(_ link: Entity.Link, of id: Int64) -> [Int64] {
        tables.linkedIDs(link, of: id)
    }

    /// Returns the largest ID that an object of the entity ever had, or 0 if there was none.
    public func largestID(of entity: Entity) -> Int64 {
        tables.largestIDs[entity.index]
    }

    /// Returns the name of an object or a relationship that refers to a missing object, or `nil` if there is none.
    public func danglingReference() -> String? {
        tables.danglingReference()
    }

    // MARK: - Filling

    /// Adds an object with the values of its entity's columns.
    ///
    /// - Returns: False if there is an object with this ID already, or if the model does not allow a value.
    public func insert(_ id: Int64, _ values: [AttributeValue], of entity: Entity) -> Bool {
        guard tables.row(id, of: entity) == nil, values.count == entity.columns.count else { return false }
        for (column, value) in zip(entity.columns, values) {
            guard value.isNull ? column.isOptional : column.type.admits(value) else { return false }
        }
        tables.write(id, RowValues.make(values).normalized, of: entity)
        return true
    }

    /// Relates two objects with a many-to-many relationship. Relating them from both sides has the same effect.
    public func relate(_ id: Int64, to other: Int64, by link: Entity.Link) {
        let (owner, member) = link.isOwner ? (id, other) : (other, id)
        tables.writePair(owner: owner, other: member, link: link.index, isThere: true)
        if link.isSymmetric { tables.writePair(owner: member, other: owner, link: link.index, isThere: true) }
    }

    /// Prevents new objects of the entity from getting the given ID or a smaller one.
    public func reserveIDs(of entity: Entity, upTo id: Int64) {
        tables.noteID(id, of: entity)
    }
}
