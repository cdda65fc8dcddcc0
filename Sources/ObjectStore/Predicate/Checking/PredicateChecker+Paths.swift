extension PredicateChecker {
    /// Resolves a path to one value, or to the objects of a collection with the value for each of them.
    mutating func operand(
        _ path: FetchPredicate.Path, _ scope: Scope
    ) throws(FetchPredicateError) -> Operand {
        var walk: Walk
        switch path.root {
        case .object:
            walk = Walk(ResolvedPath(frame: 0, start: scope.entity))
        case .variable(let name):
            guard let element = scope.variables[name] else { return try unbound(name, path) }
            walk = Walk(ResolvedPath(frame: element.frame, start: element.entity))
        case .subquery(let subquery):
            walk = try enter(subquery, scope)
        }
        let start = walk.position.entity.isListElement ? value(at: walk.position, path) : nil
        return try follow(path.keys[...], of: path, &walk, scope, from: start)
    }

    /// Follows the keys of a path from a position in it.
    private mutating func follow(
        _ keys: ArraySlice<String>, of path: FetchPredicate.Path, _ walk: inout Walk, _ scope: Scope,
        from start: TypedValue? = nil
    ) throws(FetchPredicateError) -> Operand {
        var value = start
        // The position after the parts of a composite attribute that belong to the last key.
        var next = keys.startIndex
        for (position, key) in zip(keys.indices, keys) where position >= next {
            if key.hasPrefix("["), value == nil {
                return try object(at: position, of: path, &walk, scope)
            }
            if key.hasPrefix("["), let list = value, case .column = list.value, walk.steps.last?.list != nil {
                let (step, place) = try self.step(beforePositionAt: position, of: path, &walk)
                value?.value = .element(step, place, of: list.value)
                continue
            }
            let isLast = position == path.keys.count - 1
            if let found = value {
                // In key-value coding, `length` is a key of a string.
                guard isLast, key == "length", found.type == .string else { throw beyond(path, position) }
                value = TypedValue(
                    value: .function(.length, [found.value]), type: .integer, offset: path.origin.offset)
            } else {
                let (name, count) = walk.position.entity.propertyName(at: keys[position...])
                next = position + count
                value = try step(name, of: path, isLast: next == path.keys.count, &walk, scope)
            }
        }
        let end = value ?? walk.object(at: path.origin.offset)
        return walk.steps.isEmpty
            ? .value(end) : .collection(ResolvedCollection(steps: walk.steps), element: end)
    }

    /// Takes back the step into the ordered relationship or the list before a position in a path.
    private func step(
        beforePositionAt index: Int, of path: FetchPredicate.Path, _ walk: inout Walk
    ) throws(FetchPredicateError) -> (ResolvedCollection.Step, PredicatePosition) {
        guard let position = PredicatePosition(key: path.keys[index]), walk.position.hops.isEmpty,
            let step = walk.steps.popLast(), step.order != nil || step.list != nil
        else {
            throw FetchPredicateError(
                .type, at: path.origin.offset, found: "the position \(path.keys[index])",
                expected: "an ordered relationship or a list before it")
        }
        return (step, position)
    }

    /// Resolves the rest of a path after the position of an object in an ordered relationship.
    private mutating func object(
        at index: Int, of path: FetchPredicate.Path, _ walk: inout Walk, _ scope: Scope
    ) throws(FetchPredicateError) -> Operand {
        let (step, position) = try step(beforePositionAt: index, of: path, &walk)
        var rest = Walk(walk.position)
        guard case .value(var value) = try follow(path.keys[(index + 1)...], of: path, &rest, scope) else {
            throw FetchPredicateError(
                .type, at: path.origin.offset,
                found: "a collection of the object at \(path.keys[index])",
                expected: "attributes and to-one relationships after a position",
                hint: "SUBQUERY can test the objects of a collection")
        }
        value.value = .element(step, position, of: value.value)
        return walk.steps.isEmpty
            ? .value(value) : .collection(ResolvedCollection(steps: walk.steps), element: value)
    }

    /// The position in a path while its keys are followed, and the steps into collections on the way.
    private struct Walk {
        var steps: [ResolvedCollection.Step] = []
        var position: ResolvedPath

        init(_ start: ResolvedPath) {
            position = start
        }

        /// Returns the ID of the object at the current position.
        func object(at offset: Int?) -> PredicateChecker.TypedValue {
            var owner = position
            guard let last = owner.hops.popLast() else {
                return TypedValue(
                    value: .identity(frame: position.frame), type: .object(position.entity.index),
                    offset: offset)
            }
            return TypedValue(
                value: .column(owner, last.column), type: .object(last.destination.index), offset: offset)
        }
    }

    /// Follows one key. Returns the value if the key is an attribute or `id`, or `nil` if it is a relationship.
    private mutating func step(
        _ key: String, of path: FetchPredicate.Path, isLast: Bool, _ walk: inout Walk, _ scope: Scope
    ) throws(FetchPredicateError) -> TypedValue? {
        let entity = walk.position.entity
        switch entity.property(named: key) {
        case .attribute(let column):
            if let elements = entity.columns[column].elements {
                advance(&walk, along: .attribute(column), to: elements)
                return self.value(at: walk.position, path)
            }
            return TypedValue(
                value: .column(walk.position, column), type: ValueType(entity.columns[column].type),
                offset: path.origin.offset)
        case .toOne(let column):
            walk.position.hops.append((column, model.destination(of: entity.toOne(at: column))))
            return nil
        case .toMany(let position):
            advance(&walk, along: .toMany(position), to: model.destination(of: entity.toMany[position]))
            return nil
        case nil:
            guard key == "id" && isLast else { throw unknown(key, of: path, entity) }
            var identity = walk.object(at: path.origin.offset)
            identity.type = .integer
            identity.identified = entity.index
            return identity
        }
    }

    /// Returns the value of an element of a list.
    private func value(at element: ResolvedPath, _ path: FetchPredicate.Path) -> TypedValue {
        TypedValue(
            value: .column(element, 0), type: ValueType(element.entity.columns[0].type),
            offset: path.origin.offset)
    }

    private mutating func advance(
        _ walk: inout Walk, along relationship: Entity.Property, to destination: Entity
    ) {
        let frame = newFrame()
        walk.steps.append(
            ResolvedCollection.Step(
                source: walk.position, relationship: relationship, destination: destination, frame: frame))
        walk.position = ResolvedPath(frame: frame, start: destination)
    }

    private mutating func enter(
        _ subquery: FetchPredicate.Subquery, _ scope: Scope
    ) throws(FetchPredicateError) -> Walk {
        guard case .collection(let collection, let element) = try operand(subquery.collection, scope),
            let entity = entity(of: element)
        else {
            throw FetchPredicateError(
                .type, at: subquery.collection.origin.offset, found: "something else",
                expected: "a to-many path to objects, or a list, in SUBQUERY")
        }
        var walk = Walk(ResolvedPath(frame: 0, start: scope.entity))
        walk.steps = collection.steps
        switch element.value {
        case .identity(let frame):
            walk.position = ResolvedPath(frame: frame, start: entity)
        case .column(let position, _) where entity.isListElement:
            walk.position = position
        case .column(let owner, let column):
            // The element is at the end of a to-one relationship. Only an object in a frame can have conditions.
            walk.position = owner
            advance(&walk, along: .toOne(column), to: entity)
        default:
            preconditionFailure("an object is in view, or at the end of a to-one relationship")
        }
        var inner = scope
        inner.variables[subquery.variable] = (walk.position.frame, entity)
        let filter = try check(subquery.condition, inner)
        let last = walk.steps.count - 1
        walk.steps[last].filter = walk.steps[last].filter.map { .and([$0, filter]) } ?? filter
        return walk
    }

    /// Returns the entity of the elements of a collection, or `nil` if they are values of objects.
    private func entity(of element: TypedValue) -> Entity? {
        if case .object(let index) = element.type { return model.entities[index] }
        guard case .column(let path, _) = element.value, path.entity.isListElement else { return nil }
        return path.entity
    }

    private func unbound(_ name: String, _ path: FetchPredicate.Path) throws(FetchPredicateError) -> Operand {
        guard acceptsVariables, path.keys.isEmpty else {
            throw FetchPredicateError(
                .unboundVariable, at: path.origin.offset, found: "$\(name), which has no value",
                expected: "a value", hint: "bind one to it, or name it in a SUBQUERY")
        }
        return .value(
            TypedValue(value: .constant(.null, .bound(nil)), type: .null, offset: path.origin.offset))
    }

    // MARK: - Composite attributes

    /// Returns the paths of the parts of the composite attribute at the end of a path along to-one relationships and
    /// positions, or `nil` for any other path.
    func parts(of path: FetchPredicate.Path, _ scope: Scope) -> [FetchPredicate.Path]? {
        guard case .object = path.root else { return parts(ofVariable: path, scope) }
        return parts(of: path, from: scope.entity)
    }

    private func parts(ofVariable path: FetchPredicate.Path, _ scope: Scope) -> [FetchPredicate.Path]? {
        guard case .variable(let name) = path.root, let element = scope.variables[name] else { return nil }
        return parts(of: path, from: element.entity)
    }

    private func parts(of path: FetchPredicate.Path, from start: Entity) -> [FetchPredicate.Path]? {
        var entity = start
        var position = path.keys.startIndex
        while position < path.keys.endIndex {
            let (name, count) = entity.propertyName(at: path.keys[position...])
            if entity.isComposite(name) {
                let owner = path.keys[..<position]
                return entity.parts(of: name).map { part in
                    var copy = path
                    copy.keys = Array(owner) + [part]
                    return copy
                }
            }
            position += count
            switch entity.property(named: name) {
            case .toOne(let column)?: entity = model.destination(of: entity.toOne(at: column))
            case .toMany(let relationship)?
            where position < path.keys.endIndex && path.keys[position].hasPrefix("["):
                entity = model.destination(of: entity.toMany[relationship])
                position += 1
            default: return nil
            }
        }
        return nil
    }

    // MARK: - Errors

    private func beyond(_ path: FetchPredicate.Path, _ position: Int) -> FetchPredicateError {
        FetchPredicateError(
            .unknownKey, at: path.origin.offset, found: "the key \(path.keys[position])",
            expected: position == 0
                ? "nothing after an element of a list"
                : "nothing after the attribute \(path.keys[position - 1])")
    }

    private func unknown(_ key: String, of path: FetchPredicate.Path, _ entity: Entity) -> FetchPredicateError
    {
        if entity.isComposite(key) {
            return FetchPredicateError(
                .type, at: path.origin.offset, found: "the composite attribute \(key)",
                expected: "one of its parts: \(entity.parts(of: key).joined(separator: ", "))",
                hint: "the whole of it can be compared with nil, but not after ANY, ALL or NONE")
        }
        let nearest = NearestName.of(key, among: entity.propertyNames)
        let isWord = path.root == .object && path.keys.count == 1
        return FetchPredicateError(
            .unknownKey, at: path.origin.offset, found: "the unknown key \(key)",
            expected: "a property of \(entity.name)" + (nearest.map { ", perhaps \($0)" } ?? ""),
            hint: isWord ? "if it is text, put it in quotes" : nil)
    }
}

extension Entity {
    var propertyNames: [String] {
        (columns.map(\.name) + toMany.map(\.name)).filter { properties[$0] != nil }
            + (composites?.names.sorted() ?? [])
    }
}
