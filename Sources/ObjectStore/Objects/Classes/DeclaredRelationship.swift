/// A property wrapper for a relationship.
protocol DeclaredRelationship: DeclaredProperty {
    var destinationClass: ManagedObject.Type { get }
    var isToMany: Bool { get }
}

extension DeclaredRelationship {
    func description(in entity: ClassDeclaration) throws(ModelError) -> PropertyDescription {
        guard
            case .relationship(_, let deleteRule, let isOptional, let renamedFrom, let order)? = record?
                .content
        else {
            // Unreachable: only the wrappers of a prototype are asked, and each of them has its declaration.
            fatalError("\(propertyName) of \(entity.objectClass) has no declaration")
        }
        let destination = destinationClass.entityName
        let inverse = try inverseName(in: entity)
        return .relationship(
            isToMany
                ? .toMany(
                    propertyName, destination: destination, inverse: inverse,
                    orderedBy: try order.map { path throws(ModelError) in try orderName(path, in: entity) },
                    deleteRule: deleteRule, renamedFrom: renamedFrom)
                : .toOne(
                    propertyName, destination: destination, inverse: inverse, deleteRule: deleteRule,
                    optional: isOptional, renamedFrom: renamedFrom))
    }

    /// Returns the name of the attribute of the destination that keeps the order.
    private func orderName(_ path: AnyKeyPath, in entity: ClassDeclaration) throws(ModelError) -> String {
        guard let key = RecordedKey(path, of: destinationClass), key.names.count == 1, !key.isRelationship
        else {
            throw ModelError(
                .invalidOrder, entity: entity.name, property: propertyName,
                message: "is not ordered by an attribute of \(destinationClass.entityName)")
        }
        return key.names[0]
    }

    /// Returns the name of the inverse: the one that this side names, or the relationship that names this side.
    private func inverseName(in entity: ClassDeclaration) throws(ModelError) -> String {
        if let name = try namedInverse(of: entity) { return name }
        var found: [String] = []
        let destination = ClassDeclaration.of(destinationClass)
        // A class inherits the relationships of its superclasses.
        let classes = [entity.objectClass] + entity.superclasses
        for other in destination.properties.compactMap({ $0 as? any DeclaredRelationship })
        where classes.contains(where: { $0 == other.destinationClass }) {
            if try other.namedInverse(of: destination) == propertyName { found.append(other.propertyName) }
        }
        guard found.count < 2 else {
            throw ModelError(
                .inverseMismatch, entity: entity.name, property: propertyName,
                message: "is the inverse of \(found.joined(separator: " and ")) of \(destination.name)")
        }
        guard let name = found.first else {
            throw ModelError(
                .missingInverse, entity: entity.name, property: propertyName,
                message: "neither side names its inverse; write one, as in @ToMany(inverse: \\Book.publisher)"
            )
        }
        return name
    }

    /// Returns the name of the inverse that this side names, or `nil` if it names none.
    private func namedInverse(of entity: ClassDeclaration) throws(ModelError) -> String? {
        guard case .relationship(let inverse?, _, _, _, _)? = record?.content else { return nil }
        switch inverse {
        case .name(let name): return name
        case .key(let path):
            guard let key = RecordedKey(path, of: destinationClass), key.isRelationship, key.names.count == 1
            else {
                throw ModelError(
                    .missingInverse, entity: entity.name, property: propertyName,
                    message: "its inverse is not a relationship of \(destinationClass.entityName)")
            }
            return key.names[0]
        }
    }
}
