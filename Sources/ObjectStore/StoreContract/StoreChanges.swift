/// The changes that a context asks a store to write. The store writes all of them or none.
public struct StoreChanges {
    /// A row to insert, update or delete.
    public struct Row {
        public enum Kind: Hashable, Sendable {
            case insert
            /// Only the columns for which `isChanged` returns `true` differ from the store.
            case update
            case delete
        }

        public let kind: Kind
        public let entity: Entity
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
        public let ownerID: Int64
        public let otherID: Int64
        public let isAdded: Bool
    }

    public internal(set) var rows: [Row] = []
    public internal(set) var pairs: [Pair] = []

    public var isEmpty: Bool { rows.isEmpty && pairs.isEmpty }
}
