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
            + entity.uniqueRules.map { RowIndex(column: $0.column, options: $0.options, destination: nil) }
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
