/// A key of an order, a column or a group, with every name in it found: the path of to-one relationships to
/// follow, and the column at its end.
///
///     title                no hops, the column title
///     publisher.name       one hop, the column name of Publisher
///     publisher.id         no hops, the column publisher: the reference is the id
///     id                   no hops, no column
///     publisher.books.@count   one hop, the number of those that the relationship leads to
struct FetchKey: Sendable {
    let path: String
    /// The entity where the path begins.
    private let start: Entity
    /// The relationships to follow: their columns, and the entities they lead to.
    private(set) var hops: [(column: Int, destination: Entity)] = []
    /// The entity of the object at the end.
    private(set) var entity: Entity
    /// The column of that entity; nil for the id of the object.
    private(set) var column: Int?
    /// The to-many relationship of that entity whose members are counted; nil unless the key ends in `@count`.
    private(set) var counted: Int?

    init(_ path: String, of entity: Entity, in model: ManagedObjectModel) throws(FetchError) {
        self.path = path
        self.entity = entity
        start = entity
        let keys = path.split(separator: ".").map(String.init)
        for (position, key) in keys.enumerated() {
            let isLast = position == keys.count - 1
            if key == "id" && isLast {
                endAtIdentity()
                return
            }
            switch self.entity.property(named: key) {
            case .attribute(let column) where isLast:
                self.column = column
            case .toOne(let column) where isLast:
                self.column = column
            case .toOne(let column):
                let destination = model.destination(of: self.entity.toOne(at: column))
                hops.append((column, destination))
                self.entity = destination
            case .toMany(let relationship) where keys[(position + 1)...] == ["@count"]:
                counted = relationship
                return
            case .toMany:
                throw FetchError(
                    .unsupported,
                    "\(self.entity.name).\(key) is a to-many relationship; use ANY, ALL, NONE or @count")
            case .attribute:
                throw FetchError(
                    .unknownKey, "\(self.entity.name).\(key) is an attribute; nothing can follow it")
            case nil:
                throw FetchError(
                    .unknownKey, "\(self.entity.name) has no attribute or relationship \(key)")
            }
        }
    }

    /// An id and a count are whole numbers.
    var type: AttributeType {
        column.map { entity.columns[$0].type } ?? .integer64
    }

    /// The id of the object at the other end of a relationship stands in the reference itself.
    private mutating func endAtIdentity() {
        guard let last = hops.popLast() else { return }
        entity = hops.last?.destination ?? start
        column = last.column
    }
}
