/// A predicate for values that are no objects, such as the fields of a document or the arguments of a command.
///
///     let isLong = try ValuePredicate(
///         FetchPredicate("pages > 400 AND title CONTAINS[c] %@", "emma"), of: [.integer64("pages"), .string("title")])
///     try isLong.matches(["title": "Emma", "pages": 474])  // true
///
/// The attributes declare the names and types of the values, so a misspelt key and a comparison of a number with a text
/// are errors, as they are for objects. `id` is the name of an integer and is not declared.
public struct ValuePredicate: Sendable {
    private static let entityName = "Values"

    private let entity: Entity
    private let compiled: CompiledPredicate

    /// Prepares a predicate for values with the names and types of `attributes`.
    ///
    /// - Throws: A ``FetchPredicateError`` if the predicate does not fit the attributes, or a ``ModelError`` if an attribute
    ///   is not valid.
    public init(_ predicate: FetchPredicate, of attributes: [AttributeDescription]) throws {
        let model = try ManagedObjectModel(
            versionIdentifiers: [Self.entityName],
            entities: [EntityDescription(Self.entityName, attributes: attributes)])
        entity = model.entities[0]
        compiled = try predicate.compiled(for: entity, in: model)
    }

    /// Returns whether the predicate is true for these values. A missing value is the default of its attribute.
    ///
    /// - Throws: A ``PropertyError`` for a name that is no attribute, or a ``ValidationError`` for a value of another type.
    public func matches(_ values: [String: (any AttributeValueConvertible)?]) throws -> Bool {
        var row = PlainValues(id: 0, values: entity.defaults)
        for (name, value) in values {
            let value = value?.attributeValue.normalized.withNormalizedDecimal ?? .null
            if name == "id" {
                guard case .integer(let id) = value else { throw misfit(of: value, .integer64, name) }
                row.id = id
                continue
            }
            guard let column = entity.column(named: name) else {
                throw PropertyError(
                    entity: entity.name, property: name,
                    problem: "is not among the attributes of the predicate")
            }
            let type = entity.columns[column].type
            guard value.isNull || type.admits(value) else { throw misfit(of: value, type, name) }
            row.values[column] = value
        }
        return try compiled.matches(row)
    }

    private func misfit(of value: AttributeValue, _ type: AttributeType, _ name: String) -> ValidationError {
        ValidationError([
            ValidationError.Failure(
                entity: entity.name, id: 0, property: name, rule: .type, detail: type.misfit(of: value))
        ])
    }
}

/// Values in the order of the columns of an entity without relationships.
private struct PlainValues: PredicateSubject {
    var id: Int64
    var values: [AttributeValue]

    var predicateIdentity: Int64 { id }

    func predicateValue(at column: Int) -> AttributeValue { values[column] }

    func predicateTarget(at column: Int) -> (any PredicateSubject)? { nil }

    func predicateMembers(at position: Int) -> [any PredicateSubject] { [] }
}
