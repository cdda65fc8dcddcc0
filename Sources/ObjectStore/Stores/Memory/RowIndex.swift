/// An index of the rows of an entity by their values in one column: a to-one relationship or a unique attribute.
struct RowIndex {
    let column: Int
    let options: StringOptions
    /// The position of the entity that the column refers to, or `nil` for an attribute.
    let destination: Int?
    private var ids: [ComparisonKey: IDSet] = [:]

    init(column: Int, options: StringOptions, destination: Int?) {
        self.column = column
        self.options = options
        self.destination = destination
    }

    /// Returns the indexes of an entity, without any rows in them.
    static func all(of entity: Entity) -> [RowIndex] {
        let references = (entity.firstToOne..<entity.columns.count).map { column in
            RowIndex(
                column: column, options: [], destination: entity.toOne(at: column).destinationIndex)
        }
        return references
            + entity.uniqueRules.compactMap { rule in
                rule.onlyColumn.map { RowIndex(column: $0, options: rule.options, destination: nil) }
            }
    }

    subscript(value: AttributeValue) -> IDSet {
        ComparisonKey(value, options).flatMap { ids[$0] } ?? IDSet()
    }

    /// Returns the number of rows that refer to the object with this ID.
    func count(referringTo id: Int64) -> Int {
        ids[.integer(id)]?.count ?? 0
    }

    mutating func insert(_ id: Int64, at value: AttributeValue) {
        guard let key = ComparisonKey(value, options) else { return }
        ids[key, default: IDSet()].insert(id)
    }

    mutating func remove(_ id: Int64, at value: AttributeValue) {
        guard let key = ComparisonKey(value, options), let place = ids.index(forKey: key) else { return }
        ids.values[place].remove(id)
        if ids.values[place].isEmpty { ids.remove(at: place) }
    }
}

/// An index of the rows of an entity by their values in several columns that are unique together.
struct ConstraintIndex {
    let columns: [Int]
    private var ids: [[ComparisonKey]: IDSet] = [:]

    init(columns: [Int]) {
        self.columns = columns
    }

    /// Returns the indexes of an entity, without any rows in them.
    static func all(of entity: Entity) -> [ConstraintIndex] {
        entity.constraints.map { ConstraintIndex(columns: $0.columns) }
    }

    subscript(values: [AttributeValue]) -> IDSet {
        Self.key(values).flatMap { ids[$0] } ?? IDSet()
    }

    /// Two rows with equal values, or `nil` if there are none.
    var duplicates: [Int64]? {
        ids.values.filter { $0.count > 1 }.map { Array($0.ids.sorted().prefix(2)) }
            .min { $0.lexicographicallyPrecedes($1) }
    }

    mutating func replace(_ old: RowValues?, by new: RowValues?, id: Int64) {
        let before = key(of: old)
        let after = key(of: new)
        guard before != after else { return }
        if let before, let place = ids.index(forKey: before) {
            ids.values[place].remove(id)
            if ids.values[place].isEmpty { ids.remove(at: place) }
        }
        if let after { ids[after, default: IDSet()].insert(id) }
    }

    private func key(of row: RowValues?) -> [ComparisonKey]? {
        row.flatMap { row in Self.key(columns.map { row[$0] }) }
    }

    /// Returns the key of some values, or `nil` if one of them is nil.
    private static func key(_ values: [AttributeValue]) -> [ComparisonKey]? {
        let keys = values.compactMap { ComparisonKey($0) }
        return keys.count == values.count ? keys : nil
    }
}
