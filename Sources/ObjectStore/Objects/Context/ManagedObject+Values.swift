extension ManagedObject {
    /// Returns the value of an attribute, or the ID of the target of a to-one relationship, by name.
    ///
    /// - Throws: A `PropertyError` if the entity has no attribute or to-one relationship with this name.
    public final func value(of name: String) throws -> AttributeValue {
        let column = try column(named: name)
        guard case .toOne(let relationship) = entity.columns[column].content,
            relationship.description.holdsValue
        else { return values[column] }
        return try requireContext(toRead: name).externalValue(of: self, column: column)
    }

    /// Sets an attribute by name.
    ///
    /// The other rules of the model are checked when the object is saved.
    ///
    /// - Throws: A `PropertyError` if the entity has no such attribute or the object is deleted, or a
    ///   `ValidationError` if the value is not of the attribute's type.
    public final func setValue(_ value: AttributeValue, of name: String) throws {
        let column = try column(named: name)
        if case .toOne(let relationship) = entity.columns[column].content,
            relationship.description.holdsValue
        {
            try requireAlive(toChange: name)
            let table = try requireContext(toRead: name).model.destination(of: relationship)
            let type = table.columns[0].type
            guard value.isNull || type.admits(value) else {
                throw misfit(of: value, type, name)
            }
            return try requireContext(toRead: name).setExternalValue(value, of: self, column: column)
        }
        guard case .attribute = entity.columns[column].content else {
            throw PropertyError(
                entity: entity.name, property: name, problem: "is a relationship; set its target")
        }
        if entity.inheritance != nil, column == Entity.Inheritance.column, entity !== storedEntity {
            throw PropertyError(
                entity: entity.name, property: name,
                problem: "is the name of the entity and cannot be changed")
        }
        if let problem = entity.columns[column].settingProblem {
            throw PropertyError(entity: entity.name, property: name, problem: problem)
        }
        let type = entity.columns[column].type
        let value = value.withNormalizedDecimal
        guard value.isNull || type.admits(value) else {
            throw misfit(of: value, type, name)
        }
        try requireAlive(toChange: name)
        setValue(value, inColumn: column)
    }

    /// Returns the last saved value of a property, by name. For an object that was never saved, it is the current
    /// value.
    public final func savedValue(of name: String) throws -> AttributeValue {
        let column = try column(named: name)
        return (savedValues ?? values)[column]
    }

    /// Returns a copy of the values of all columns, either the current or the last saved ones.
    package final func rowValues(asSaved: Bool = false) -> RowValues {
        ((asSaved ? savedValues : nil) ?? values).copy()
    }

    /// The names of the attributes, to-one relationships and many-to-many relationships that have unsaved changes.
    ///
    /// A one-to-many relationship is never included: a change to it is a change of the objects at its other end.
    public final var changedProperties: [String] {
        var names: [String] = []
        if let savedValues {
            names = entity.columns.indices.filter { values[$0] != savedValues[$0] }
                .map { entity.columns[$0].name }
        }
        if state == .saved, changedPairs > 0, let context {
            names += context.changedLinks(of: self)
        }
        return names
    }

    /// Returns the object at the other end of a to-one relationship, by name, or `nil` if there is none.
    public final func target(of name: String) throws -> ManagedObject? {
        let column = try toOneColumn(named: name)
        return try requireContext(toRead: name).presentTarget(of: self, column: column)
    }

    /// Sets a to-one relationship by name and updates its inverse.
    public final func setTarget(_ target: ManagedObject?, of name: String) throws {
        let column = try toOneColumn(named: name)
        try requireAlive(toChange: name)
        let context = try requireContext(toRead: name)
        let destination = context.model.declaredDestination(of: entity.toOne(at: column))
        if let target {
            guard destination.includes(target.entity) else {
                throw refusal(of: target, for: name, because: "is no \(destination.name)")
            }
            try requireUsable(target, for: name)
        }
        try context.setTarget(target, of: self, column: column)
    }

    /// Returns the objects at the other end of a to-many relationship, by name.
    public final func objects(of name: String) throws -> RelatedObjects<ManagedObject> {
        guard case .toMany(let position)? = entity.property(named: name) else {
            throw PropertyError(
                entity: entity.name, property: name, problem: "is not a to-many relationship of it")
        }
        return RelatedObjects(owner: self, position: position)
    }

    private func misfit(of value: AttributeValue, _ type: AttributeType, _ name: String) -> ValidationError {
        ValidationError([
            ValidationError.Failure(
                entity: entity.name, id: id, property: name, rule: .type, detail: type.misfit(of: value))
        ])
    }

    private func requireAlive(toChange name: String) throws {
        guard context != nil else { throw contextIsGone("changed", property: name) }
        guard isAlive else { throw deletionError(name) }
    }

    /// Returns the error for a change of a property of a deleted object.
    final func deletionError(_ name: String) -> PropertyError {
        PropertyError(
            entity: entity.name, property: name, problem: "cannot be changed: \(objectID) is deleted")
    }

    /// Throws if a relationship cannot lead to an object because it is deleted or belongs to another context.
    final func requireUsable(_ other: ManagedObject, for name: String) throws(PropertyError) {
        guard other.context === context else {
            throw refusal(of: other, for: name, because: "belongs to another context")
        }
        guard other.isAlive else { throw refusal(of: other, for: name, because: "is deleted") }
    }

    /// Returns the error for an object to which a relationship cannot lead.
    final func refusal(of other: ManagedObject, for name: String, because reason: String) -> PropertyError {
        PropertyError(
            entity: entity.name, property: name,
            problem: "of \(objectID) cannot refer to \(other.objectID), which \(reason)")
    }

    private func requireContext(toRead name: String) throws(PropertyError) -> ManagedObjectContext {
        guard let context else { throw contextIsGone("read", property: name) }
        return context
    }

    /// Returns the error for a property that cannot be read or changed because the context was released.
    final func contextIsGone(_ verb: String, property: String) -> PropertyError {
        PropertyError(
            entity: entity.name, property: property,
            problem: "cannot be \(verb): the context of \(objectID) was released; "
                + "keep a reference to the ManagedObjectContext for as long as its objects are used")
    }

    private func column(named name: String) throws -> Int {
        guard let column = entity.column(named: name) else {
            throw PropertyError(
                entity: entity.name, property: name,
                problem: entity.adviceForComposite(name) ?? "is not an attribute or to-one relationship of it"
            )
        }
        return column
    }

    private func toOneColumn(named name: String) throws -> Int {
        guard case .toOne(let column)? = entity.property(named: name) else {
            throw PropertyError(
                entity: entity.name, property: name, problem: "is not a to-one relationship of it")
        }
        return column
    }
}

// MARK: - Access for the property wrappers

extension ManagedObject {
    @usableFromInline
    final func knownPosition(of wrapper: AnyKeyPath) -> Int? {
        registry.knownPosition(of: wrapper)
    }

    /// Returns the value of a property that was used before, or `nil` if it was not.
    @usableFromInline
    final func knownValue(of wrapper: AnyKeyPath) -> AttributeValue? {
        guard let column = registry.knownPosition(of: wrapper) else { return nil }
        return values[column]
    }

    @usableFromInline
    final func findPosition<Object: ManagedObject>(of wrapper: PartialKeyPath<Object>) -> Int {
        registry.findPosition(of: wrapper)
    }

    @usableFromInline
    package final func value(inColumn column: Int) -> AttributeValue {
        values[column]
    }

    @usableFromInline
    package final func setValue(_ value: AttributeValue, inColumn column: Int) {
        guard values[column] != value else { return }
        contextForChange(ofColumn: column)?.set(value, inColumn: column, of: self)
    }

    @usableFromInline
    final func target(ofColumn column: Int) -> ManagedObject? {
        guard let context = registry.context else {
            failWithoutContext("read", property: entity.columns[column].name)
        }
        return context.reading { try context.presentTarget(of: self, column: column) } ?? nil
    }

    @usableFromInline
    final func setTarget(_ target: ManagedObject?, ofColumn column: Int) {
        guard let context = contextForChange(ofColumn: column) else { return }
        _ = context.reading {
            if let target { try requireUsable(target, for: entity.columns[column].name) }
            try context.setTarget(target, of: self, column: column)
        }
    }

    @usableFromInline
    final func relatedObjects<Element>(at position: Int) -> RelatedObjects<Element> {
        RelatedObjects(owner: self, position: position)
    }

    @usableFromInline
    final func members(at position: Int) throws -> [ManagedObject] {
        guard let context = registry.context else {
            if let recorder = registry.recorder {
                recorder.refuse()
                return []
            }
            throw contextIsGone("read", property: entity.toMany[position].name)
        }
        return try context.members(of: self, position: position)
    }

    /// Returns the context for a change of a property, or `nil` if the object is deleted. The next save reports that.
    final func contextForChange(ofColumn column: Int) -> ManagedObjectContext? {
        guard let context = registry.context else {
            failWithoutContext("changed", property: entity.columns[column].name)
        }
        if entity.unsettableColumns.contains(column) { requireSettable(column) }
        guard isAlive else {
            context.recordFailure(deletionError(entity.columns[column].name))
            return nil
        }
        return context
    }

    private final func requireSettable(_ column: Int) {
        guard let problem = entity.columns[column].settingProblem else { return }
        fatalError("\(entity.name).\(entity.columns[column].name) \(problem)")
    }

    /// Ends the program, because a property cannot throw. `fatalError` prints its message in release builds, too.
    final func failWithoutContext(_ verb: String, property: String) -> Never {
        fatalError("\(contextIsGone(verb, property: property))")
    }

    @usableFromInline
    final func readingFailed(_ error: any Error) {
        guard let context = registry.context else { fatalError("\(error)") }
        context.recordFailure(error)
    }
}

/// An invalid access to a property by name, for example by a name that the entity does not have.
public struct PropertyError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name of the entity.
    public let entity: String
    /// The name of the property.
    public let property: String
    /// The problem, as the rest of a sentence that begins with the property.
    public let problem: String

    /// `Book.titel is not an attribute or to-one relationship of it`
    public var description: String { "\(entity).\(property) \(problem)" }
}
