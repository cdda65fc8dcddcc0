/// The properties of objects that are encoded and decoded with the `Codable` protocols.
///
///     let coding = ObjectCoding<Book>().including(\.publisher).nesting(\.authors, ObjectCoding(\.name))
///     let data = try JSONEncoder().encode(coding.encoding(book))
///
/// An attribute is encoded by its name and as its value: a date as ISO 8601 text, a decimal, a UUID and a URI as text, and
/// binary data as a list of bytes. A relationship is encoded as the ID of its target or a list of IDs, or, if it is nested,
/// as the objects themselves. An external attribute is encoded if it is named: `ObjectCoding<Page>().including(\.scan)`. A
/// composite attribute is an object with its parts, or null if all of them are nil. An object of a hierarchy has the name of its
/// entity in `entity`. Nothing here depends on
/// Foundation: any `Encoder` and `Decoder` will do.
public struct ObjectCoding<Object: ManagedObject>: Sendable {
    /// The reaction to keys that are none of the properties.
    public enum UnknownKeys: Hashable, Sendable {
        /// They are ignored.
        case ignored
        /// They are an error.
        case refused
    }

    private(set) var plan: CodingPlan

    /// Creates a coding of all attributes of the entity.
    public init() {
        plan = CodingPlan(names: nil)
    }

    /// Creates a coding of attributes, relationships by their IDs, and the ID: `ObjectCoding(\Book.id, \.title)`.
    public init(_ keys: PartialKeyPath<Object>...) {
        plan = CodingPlan(names: keys.map(Self.name))
    }

    /// Creates a coding of properties by their names.
    public init(properties names: [String]) {
        plan = CodingPlan(names: names)
    }

    /// Returns the coding with a further property, such as a relationship by its IDs.
    public func including(_ key: PartialKeyPath<Object>) -> Self {
        including(Self.name(key), nil)
    }

    /// Returns the coding with the target of a to-one relationship, as a nested object.
    public func nesting<Destination: ManagedObject>(
        _ key: KeyPath<Object, Destination?>, _ coding: ObjectCoding<Destination>
    ) -> Self {
        including(Self.name(key), coding.plan)
    }

    /// Returns the coding with the objects of a to-many relationship, as a list of nested objects.
    public func nesting<Element: ManagedObject>(
        _ key: KeyPath<Object, RelatedObjects<Element>>, _ coding: ObjectCoding<Element>
    ) -> Self {
        including(Self.name(key), coding.plan)
    }

    /// Returns the coding with a choice for unknown keys. By default, they are ignored.
    public func unknownKeys(_ choice: UnknownKeys) -> Self {
        var copy = self
        copy.plan.refusesUnknownKeys = choice == .refused
        return copy
    }

    private func including(_ name: String, _ nested: CodingPlan?) -> Self {
        var copy = self
        copy.plan.added.append(name)
        copy.plan.nested[name] = nested
        return copy
    }

    private static func name(_ key: PartialKeyPath<Object>) -> String {
        let recorded = KnownKeys.key(of: key, of: Object.self)
        let names = recorded.propertyNames
        guard names.count == 1, !recorded.isCount else {
            fatalError(
                "\(recorded.propertyText) is no property of \(Object.self) itself; nest the relationship")
        }
        return names[0]
    }

    // MARK: - Coding

    /// Returns a value that encodes an object, with any encoder.
    public func encoding(_ object: Object) -> EncodedObject {
        EncodedObject(object: object, plan: plan)
    }

    /// Returns a value that encodes a snapshot, with any encoder and on any queue.
    ///
    /// It throws an ``ObjectCodingError`` if the coding has a property that is not in a snapshot: a to-many relationship, an
    /// external attribute or a nested object. ``ObjectSnapshot`` itself is `Codable` in the form of all its properties.
    public func encoding(_ snapshot: ObjectSnapshot<Object>) -> EncodedSnapshot {
        EncodedSnapshot(snapshot: snapshot.stored, plan: plan)
    }

    /// Encodes an object.
    public func encode(_ object: Object, to encoder: any Encoder) throws {
        try encoding(object).encode(to: encoder)
    }

    /// Sets the properties of an object that a decoder has a key for. The others keep their values.
    ///
    /// A nested target of a to-one relationship is filled, or inserted if there is none. Nested objects of a to-many
    /// relationship are only decoded for new objects. The rules of the model are checked when the object is saved.
    ///
    /// - Throws: An ``ObjectCodingError`` or an error of the decoder. The attributes of the object are then unchanged, but
    ///   nested objects may have changed.
    public func fill(_ object: Object, from decoder: any Decoder) throws {
        try ObjectReader(object, plan, isNew: false).read(decoder)
    }

    /// Sets the properties of an object to the values of a snapshot, such as a decoded one.
    ///
    /// A target of a to-one relationship is found by its number, in the store of the object.
    ///
    /// - Throws: An ``ObjectCodingError`` if the coding has a property that is not in a snapshot, or if a target does not
    ///   exist.
    public func fill(_ object: Object, from snapshot: ObjectSnapshot<Object>) throws {
        try ObjectReader(object, plan, isNew: false).read(snapshot.stored)
    }

    /// Inserts an object with the properties that a decoder has a key for. The others have their defaults.
    ///
    /// - Throws: An ``ObjectCodingError`` or an error of the decoder. Nothing is inserted then.
    @discardableResult
    public func insert(into context: ManagedObjectContext, from decoder: any Decoder) throws -> Object {
        let object = try context.insert(Object.self)
        let reader = ObjectReader(object, plan, isNew: true)
        do {
            try reader.read(decoder)
        } catch {
            for object in reader.inserted where object.isAlive { context.withdraw(object) }
            throw error
        }
        return object
    }
}

/// An object that encodes itself with the properties of an ``ObjectCoding``.
public struct EncodedObject: Encodable {
    let object: ManagedObject
    let plan: CodingPlan

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: PropertyCodingKey.self)
        try EncodedParts.encode(
            plan.columns(of: object.entity), of: object.entity, value: { object.values[$0] }, in: &container
        ) { try encode($0, in: &$1) }
    }

    private func encode(
        _ name: String, in container: inout KeyedEncodingContainer<PropertyCodingKey>
    ) throws {
        let key = PropertyCodingKey(name)
        let nested = plan.nested[name]
        switch object.entity.property(named: name) {
        case .attribute(let column):
            try container.encodeStored(
                object.values[column], of: object.entity.columns[column], forKey: key)
        case .toOne(let column):
            if object.entity.toOne(at: column).description.holdsValue {
                let value = try object.value(of: name)
                return try container.encodeStored(value, of: object.entity.columns[column], forKey: key)
            }
            guard let nested else {
                return try container.encodeStored(
                    object.values[column], of: object.entity.columns[column], forKey: key)
            }
            guard let target = try object.target(of: name) else {
                return try container.encodeNil(forKey: key)
            }
            try container.encode(EncodedObject(object: target, plan: nested), forKey: key)
        case .toMany:
            let objects = try object.objects(of: name).all()
            guard let nested else { return try container.encode(objects.map(\.id), forKey: key) }
            try container.encode(objects.map { EncodedObject(object: $0, plan: nested) }, forKey: key)
        case nil where name == "id": try container.encode(object.id, forKey: key)
        case nil: throw ObjectCodingError(about: name, of: object.entity, "is not a property of the entity")
        }
    }
}

/// The properties to encode and decode, without the class.
struct CodingPlan: Sendable {
    /// The properties, or `nil` for all attributes.
    let names: [String]?
    var added: [String] = []
    var nested: [String: CodingPlan] = [:]
    var refusesUnknownKeys = false

    /// The plan of all properties in a snapshot.
    static let whole = {
        var plan = CodingPlan(names: nil)
        plan.isWhole = true
        return plan
    }()
    /// Whether the ID and the to-one relationships are encoded as well as all attributes.
    private var isWhole = false

    init(names: [String]?) { self.names = names }

    func names(of entity: Entity) -> [String] {
        if let names { return names + added }
        let entityName = entity.inheritance == nil ? [] : [Entity.Inheritance.attribute]
        let attributes = entityName + entity.description.attributes.map(\.name) + added
        guard isWhole else { return attributes }
        let toOne = entity.columns.filter { column in
            guard case .toOne(let relationship) = column.content else { return false }
            return !relationship.description.holdsValue && entity.column(named: column.name) != nil
        }
        return ["id"] + attributes + toOne.map(\.name)
    }
}

/// The name of a property as a key.
struct PropertyCodingKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
}

/// An error in a value to encode or decode.
public struct ObjectCodingError: Error, CustomStringConvertible {
    /// The name of the entity.
    public let entity: String
    /// The name of the property.
    public let property: String
    /// The problem, as the rest of a sentence that begins with the property.
    public let problem: String
    /// The keys and indices that lead to the object in the encoded form. It is empty for the outermost object.
    public let path: [String]
    /// The error of the decoder, or `nil` if there is none.
    public let cause: (any Error)?

    init(
        about property: String, of entity: Entity, _ problem: String, at path: [any CodingKey] = [],
        cause: (any Error)? = nil
    ) {
        self.entity = entity.name
        self.property = property
        self.problem = problem
        self.path = path.map { $0.intValue.map(String.init) ?? $0.stringValue }
        self.cause = cause
    }

    /// `Book.pages is not a value of the type integer32, in books.3`
    public var description: String {
        "\(entity).\(property) \(problem)" + (path.isEmpty ? "" : ", in \(path.joined(separator: "."))")
    }
}
