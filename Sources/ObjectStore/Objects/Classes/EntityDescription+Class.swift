extension EntityDescription {
    /// Derives an entity from a class: its name, its attributes and its relationships.
    ///
    ///     EntityDescription(Book.self, indexedBy: .index(\.published), .index(\.title, where: { $0.inPrint }))
    ///
    /// A mistake in the class is reported when the model is built. A class that changes must not be used for an old
    /// version of a model. Describe that version at length, as it was.
    ///
    /// - Parameters:
    ///   - objectClass: The class of the objects.
    ///   - indexes: The indexes, in addition to those of references and unique attributes.
    ///   - uniqueness: The sets of attributes and to-one relationships whose values are unique together:
    ///     `[[\.list, \.uid]]`.
    ///   - renamedFrom: The name of the entity in the previous model version, if it was renamed.
    public init<Object: ManagedObject>(
        _ objectClass: Object.Type, indexedBy indexes: ClassIndex<Object>...,
        uniqueness: [[PartialKeyPath<Object>]] = [], renamedFrom: String? = nil
    ) {
        // The label is not `indexes`, because the compiler would explain a misspelt key by the initializer with a name.
        self.init(
            objectClass.entityName, class: objectClass, renamedFrom: renamedFrom,
            isAbstract: objectClass.isAbstract)
        superclassNames = objectClass.superclasses.map { $0.entityName }
        do throws(ModelError) {
            try derive(from: ClassDeclaration.of(objectClass))
            self.indexes = try indexes.map { index throws(ModelError) in try index.description() }
            self.uniqueness = try uniqueness.map { keys throws(ModelError) in
                try Self.names(of: keys, in: "a set of unique properties")
            }
        } catch {
            problem = error
        }
    }

    /// Returns the names of attributes and to-one relationships.
    fileprivate static func names<Object: ManagedObject>(
        of keys: [PartialKeyPath<Object>], in place: String
    ) throws(ModelError) -> [String] {
        var names: [String] = []
        for key in keys {
            guard let recorded = RecordedKey(key, of: Object.self), recorded.names.count == 1 else {
                throw ModelError(
                    .invalidIndex, entity: Object.entityName,
                    message: "a key of \(place) is not an attribute or to-one relationship of \(Object.self)")
            }
            guard recorded.parts == nil else {
                throw ModelError(
                    .invalidIndex, entity: Object.entityName, property: recorded.names[0],
                    message: "is a composite attribute, but a key of \(place) has to be one of its parts")
            }
            names.append(recorded.names[0])
        }
        return names
    }

    private mutating func derive(from declaration: ClassDeclaration) throws(ModelError) {
        guard declaration.isComplete else {
            throw ModelError(
                .classMismatch, entity: name,
                message: "the properties of \(managedObjectClass) cannot be found, because the program was "
                    + "built without reflection metadata; describe the entity at length")
        }
        for property in declaration.properties {
            switch try property.description(in: declaration) {
            case .attribute(let attribute): attributes.append(attribute)
            case .relationship(let relationship): relationships.append(relationship)
            }
        }
    }
}

/// An index of the entity of a class. See ``IndexDescription``.
///
///     .index(\.published)
///     .index(\.title, where: { $0.pages > 0 })
///     .search(\.title, \.summary)
public struct ClassIndex<Object: ManagedObject> {
    private var kind = IndexDescription.Kind.values
    private let keys: [PartialKeyPath<Object>]
    private let condition: FetchPredicate?

    private init(keys: [PartialKeyPath<Object>], condition: FetchPredicate?) {
        self.keys = keys
        self.condition = condition
    }

    /// Creates an index with ascending keys: attributes and to-one relationships, the most significant first.
    public static func index(_ keys: PartialKeyPath<Object>...) -> Self {
        Self(keys: keys, condition: nil)
    }

    /// Creates an index of the objects that satisfy a condition.
    public static func index(
        _ keys: PartialKeyPath<Object>..., where condition: (Keys<Object>) throws -> FetchPredicate
    ) rethrows -> Self {
        Self(keys: keys, condition: try condition(Keys()))
    }

    /// Creates an index of the words of one or several texts, for `contains(words:)`.
    public static func search(_ keys: PartialKeyPath<Object>...) -> Self {
        var index = Self(keys: keys, condition: nil)
        index.kind = .search
        return index
    }

    func description() throws(ModelError) -> IndexDescription {
        let names = try EntityDescription.names(of: keys, in: "an index")
        var index = IndexDescription(
            keys: names.map { IndexDescription.Key(name: $0, isAscending: true) }, where: condition)
        index.kind = kind
        return index
    }
}
