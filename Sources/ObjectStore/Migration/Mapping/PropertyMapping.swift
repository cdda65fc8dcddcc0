/// Where one property of a migrated object comes from.
///
///     .copy("title", from: "name")
///     .computed("priority", try .init(format: "10 - urgency"))
///     .newUUID("uid")
///     .objects("category", from: "list")
public struct PropertyMapping: Hashable, Sendable {
    public enum Value: Hashable, Sendable {
        /// What the source object answers. `now()` is the moment at which the migration began.
        case expression(FetchPredicate.Expression)
        /// A new random identifier for each object, as a UUID or as its text.
        case newUUID
        /// For relationships: what the objects at that relationship of the source object became.
        case objects(String)
    }

    /// The property of the destination entity.
    public var name: String
    public var value: Value
    /// What an attribute gets when its value is nil; `.null` leaves it nil.
    public var valueWhenNil: AttributeValue

    public init(_ name: String, _ value: Value, whenNil valueWhenNil: AttributeValue = .null) {
        self.name = name
        self.value = value
        self.valueWhenNil = valueWhenNil
    }

    /// The value that an attribute of the source object has.
    public static func copy(
        _ name: String, from source: String? = nil, whenNil valueWhenNil: AttributeValue = .null
    ) -> Self {
        Self(name, .expression(.path(FetchPredicate.Path(keys: [source ?? name]))), whenNil: valueWhenNil)
    }

    /// The value of an expression, asked of the source object.
    public static func computed(
        _ name: String, _ expression: FetchPredicate.Expression, whenNil valueWhenNil: AttributeValue = .null
    ) -> Self {
        Self(name, .expression(expression), whenNil: valueWhenNil)
    }

    /// The same value for every object.
    public static func constant(_ name: String, _ value: AttributeValue) -> Self {
        Self(name, .expression(.value(value)))
    }

    /// The moment at which the migration began.
    public static func migrationDate(_ name: String) -> Self {
        Self(name, .expression(.function(.now, [])))
    }

    /// A new random identifier for each object.
    public static func newUUID(_ name: String) -> Self {
        Self(name, .newUUID)
    }

    /// What the objects at a relationship of the source object became.
    public static func objects(_ name: String, from source: String? = nil) -> Self {
        Self(name, .objects(source ?? name))
    }
}
