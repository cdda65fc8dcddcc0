/// What a context asks a store to write, all of it or nothing.
public struct StoreChanges {
    /// One row to add, change or remove.
    public struct Row {
        public enum Kind: Hashable, Sendable {
            case insert
            /// Only the columns for which `isChanged` holds differ from what the store has.
            case update
            case delete
        }

        public let kind: Kind
        public let entity: Entity
        public let id: Int64
        /// In the order of the entity's columns; what a deleted object held last.
        public let values: RowValues
        let columns: ColumnSet

        /// Whether an update changes the column.
        public func isChanged(_ column: Int) -> Bool { columns.contains(column) }
    }

    /// One pair of a many-to-many relationship to add or to remove.
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
