/// The changes that a context asks a store to write. The store writes all of them or none.
public struct StoreChanges {
    /// A row to insert, update or delete.
    public struct Row {
        /// The change of a row.
        public enum Kind: Hashable, Sendable {
            /// A new row.
            case insert
            /// Only the columns for which `isChanged` returns `true` differ from the store.
            case update
            /// The end of a row.
            case delete
        }

        /// The change of the row.
        public let kind: Kind
        /// The entity of the object.
        public let entity: Entity
        /// The ID of the object.
        public let id: Int64
        /// The values in the order of the entity's columns. For a deleted object, they are its last values.
        public let values: RowValues
        let columns: ColumnSet

        /// Whether an update changes the column.
        public func isChanged(_ column: Int) -> Bool { columns.contains(column) }
    }

    /// A pair of a many-to-many relationship to add or remove.
    public struct Pair: Hashable, Sendable {
        /// The position of the relationship's table in the model.
        public let link: Int
        /// The ID of the object on the side that owns the table.
        public let ownerID: Int64
        /// The ID of the object on the other side.
        public let otherID: Int64
        /// Whether the pair is added. Otherwise it is removed.
        public let isAdded: Bool
    }

    /// The rows to write.
    public internal(set) var rows: [Row] = []
    /// The pairs to write.
    public internal(set) var pairs: [Pair] = []

    /// Whether there is nothing to write.
    public var isEmpty: Bool { rows.isEmpty && pairs.isEmpty }
}
