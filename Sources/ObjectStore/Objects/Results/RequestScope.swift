/// The entities whose objects decide about the results of a request, and the section key.
struct RequestScope {
    private let entity: String
    /// Whether objects of other entities matter, too.
    private var usesOthers: Bool
    private let sectionKey: FetchKey?

    /// - Parameter path: The section key, or `nil` if there is none.
    init(
        _ request: FetchRequest<some ManagedObject>, of entity: Entity, _ path: String?,
        in model: ManagedObjectModel
    ) throws {
        self.entity = entity.storedName
        sectionKey = try path.map { try FetchKey($0, of: entity, in: model) }
        if let path, sectionKey?.collection != nil {
            throw FetchError(
                .unsupported, "\(entity.name).\(path) is a number of objects, which cannot be a section key")
        }
        let keys = request.order.map(\.key) + (path.map { [$0] } ?? [])
        var paths = PathCheck(entity: entity)
        _ = paths.rewrite(request.predicate.root)
        usesOthers =
            paths.leadsToOthers || keys.contains { $0.contains(".") && entity.column(named: $0) == nil }
        guard let derivations = model.relatedDerivations else { return }
        var derived = DerivedAttributeSearch(derivations)
        for key in keys { derived.visit(key: key) }
        _ = derived.rewrite(request.predicate.root)
        if !derived.entities.isEmpty { usesOthers = true }
    }

    /// The scope of a request with section titles that may depend on any object.
    var widened: RequestScope {
        var scope = self
        scope.usesOthers = true
        return scope
    }

    func uses(_ name: String) -> Bool { usesOthers || name == entity }

    func isAffected(by changes: SavedChanges) -> Bool {
        usesOthers
            || [changes.inserted, changes.updated, changes.deleted].contains { objects in
                objects.contains { $0.entity == entity }
            }
    }

    /// Returns the value of the section key. The objects on the way to it are kept, so that they are read once.
    func sectionValue(
        of object: ManagedObject, in context: ManagedObjectContext, keeping targets: inout [ManagedObject]
    ) throws -> AttributeValue {
        guard let sectionKey else { return .null }
        var object = object
        for hop in sectionKey.hops {
            guard let target = try context.target(of: object, column: hop.column) else { return .null }
            if targets.last !== target { targets.append(target) }
            object = target
        }
        return sectionKey.column.map { object.values[$0] } ?? .integer(object.id)
    }
}

/// A search for paths in a predicate that lead to other objects.
private struct PathCheck: PredicateRewriter {
    let entity: Entity
    private(set) var leadsToOthers = false

    init(entity: Entity) { self.entity = entity }

    mutating func rewrite(_ path: FetchPredicate.Path) -> FetchPredicate.Path {
        if case .object = path.root, path.keys.isEmpty || path.keys == ["id"] { return path }
        let (name, count) = entity.propertyName(at: path.keys[...])
        if case .object = path.root, path.keys.count == count,
            entity.column(named: name) != nil || entity.isComposite(name)
        {
            return path
        }
        // A variable is an element of a subquery, or has a value that does not depend on objects.
        leadsToOthers = true
        return path
    }
}
