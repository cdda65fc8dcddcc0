/// A resolved key of an order, a column or a group: to-one relationships to follow, and a column at the end.
///
///     title                no hops, the column title
///     publisher.name       one hop, the column name of Publisher
///     publisher.id         no hops, the column publisher, which contains the ID
///     id                   no hops, no column
///     publisher.books.@count   one hop, the number of objects in the relationship
///     authors.name         no hops, the values of all objects in the relationship, only for `FetchColumn.values`
package struct FetchKey: Sendable {
    let path: String
    /// The entity at the start of the path.
    private let start: Entity
    /// The relationships to follow: the column and the destination entity of each.
    package private(set) var hops: [(column: Int, destination: Entity)] = []
    /// The entity of the object at the end of the path.
    package private(set) var entity: Entity
    /// The column of that entity, or `nil` for the ID of the object, a count or values.
    package private(set) var column: Int?
    /// The position of the to-many relationship whose objects are counted or whose values are listed, or `nil`.
    package private(set) var collection: Int?
    /// The values that are listed, or `nil` for a count. Without a column, they are the IDs of the objects.
    package private(set) var listed: (entity: Entity, column: Int?)?

    /// Resolves a key.
    ///
    /// - Parameter isOfValues: whether the key has to end in an attribute of the objects in a to-many relationship.
    package init(
        _ path: String, of entity: Entity, in model: ManagedObjectModel, isOfValues: Bool = false
    ) throws(FetchError) {
        self.path = path
        self.entity = entity
        start = entity
        let keys = path.split(separator: ".").map(String.init)
        if keys.isEmpty { throw FetchError(.unknownKey, "a key of \(entity.name) is empty") }
        var position = 0
        while position < keys.count {
            let (key, count) = self.entity.propertyName(at: keys[position...])
            defer { position += count }
            let isLast = position + count == keys.count
            if key == "id" && isLast && !isOfValues {
                endAtIdentity()
                return
            }
            switch self.entity.property(named: key) {
            case .attribute where isOfValues && isLast, .toOne where isOfValues && isLast:
                throw FetchError(
                    .unsupported,
                    "\(path) needs a to-many relationship, and an attribute of its objects at the end")
            case .attribute(let column) where isLast:
                self.column = column
            case .toOne(let column) where isLast:
                self.column = column
            case .toOne(let column):
                let destination = model.destination(of: self.entity.toOne(at: column))
                hops.append((column, destination))
                self.entity = destination
            case .toMany(let relationship) where isOfValues:
                collection = relationship
                let destination = model.destination(of: self.entity.toMany[relationship])
                listed = try Self.listed(keys[(position + count)...], of: destination, path)
                return
            case .toMany(let relationship) where keys[(position + 1)...] == ["@count"]:
                collection = relationship
                return
            case .toMany:
                throw FetchError(
                    .unsupported,
                    "\(self.entity.name).\(key) is a to-many relationship; use ANY, ALL, NONE or @count")
            case .attribute:
                throw FetchError(
                    .unknownKey, "\(self.entity.name).\(key) is an attribute; nothing can follow it")
            case nil:
                if let advice = self.entity.adviceForComposite(key) {
                    throw FetchError(.unsupported, "\(self.entity.name).\(key) \(advice)")
                }
                throw FetchError(
                    .unknownKey, "\(self.entity.name) has no attribute or relationship \(key)")
            }
        }
    }

    private static func listed(
        _ keys: ArraySlice<String>, of entity: Entity, _ path: String
    ) throws(FetchError) -> (entity: Entity, column: Int?) {
        let name = keys.joined(separator: ".")
        if name == "id" { return (entity, nil) }
        guard case .attribute(let column) = entity.property(named: name) else {
            throw FetchError(
                .unknownKey, "\(path) needs an attribute of \(entity.name) at its end; \(name) is none")
        }
        let type = entity.columns[column].type
        guard [.string, .uri, .integer16, .integer32, .integer64, .boolean].contains(type) else {
            throw FetchError(
                .unsupported,
                "\(path) needs text, integers or booleans; \(entity.name).\(name) is of the type \(type.rawValue)"
            )
        }
        return (entity, column)
    }

    /// The type of the values. IDs and counts are integers, and lists of values are text.
    package var type: AttributeType {
        if listed != nil { return .string }
        return column.map { entity.columns[$0].type } ?? .integer64
    }

    /// Whether the value is the ID of an object at the end of a to-one relationship.
    var isReference: Bool {
        column.map {
            if case .toOne = entity.property(named: entity.columns[$0].name) { true } else { false }
        }
            ?? false
    }

    /// Ends the path with `id`. The ID of a destination is the value of the relationship's column.
    private mutating func endAtIdentity() {
        guard let last = hops.popLast() else { return }
        entity = hops.last?.destination ?? start
        column = last.column
    }
}
