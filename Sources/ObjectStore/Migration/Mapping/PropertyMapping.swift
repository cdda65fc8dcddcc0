/// The source of one property of a migrated object.
///
///     .copy("title", from: "name")
///     .computed("priority", try .init(format: "10 - urgency"))
///     .newUUID("uid")
///     .objects("category", from: "list")
public struct PropertyMapping: Hashable, Sendable {
    /// The source of the value of a property.
    public enum Value: Hashable, Sendable {
        /// The value of an expression for the source object. `now()` is the time at which the migration
        /// began.
        case expression(FetchPredicate.Expression)
        /// A new random identifier for each object, as a UUID or as its text.
        case newUUID
        /// For a relationship: the objects created from those in the named relationship of the source object.
        case objects(String)
    }

    /// The name of the property in the destination entity.
    public var name: String
    /// The source of the value.
    public var value: Value
    /// The value of an attribute if the mapping's value is nil. `.null` leaves it nil.
    public var valueWhenNil: AttributeValue

    /// Creates the mapping of one property.
    public init(_ name: String, _ value: Value, whenNil valueWhenNil: AttributeValue = .null) {
        self.name = name
        self.value = value
        self.valueWhenNil = valueWhenNil
    }

    /// Copies an attribute of the source object.
    public static func copy(
        _ name: String, from source: String? = nil, whenNil valueWhenNil: AttributeValue = .null
    ) -> Self {
        Self(name, .expression(.path(FetchPredicate.Path(keys: [source ?? name]))), whenNil: valueWhenNil)
    }

    /// Computes an expression for the source object.
    public static func computed(
        _ name: String, _ expression: FetchPredicate.Expression, whenNil valueWhenNil: AttributeValue = .null
    ) -> Self {
        Self(name, .expression(expression), whenNil: valueWhenNil)
    }

    /// Sets the same value for every object.
    public static func constant(_ name: String, _ value: AttributeValue) -> Self {
        Self(name, .expression(.value(value)))
    }

    /// Sets the time at which the migration began.
    public static func migrationDate(_ name: String) -> Self {
        Self(name, .expression(.function(.now, [])))
    }

    /// Sets a new random identifier for each object.
    public static func newUUID(_ name: String) -> Self {
        Self(name, .newUUID)
    }

    /// Sets a relationship to the objects created from those in a relationship of the source object.
    public static func objects(_ name: String, from source: String? = nil) -> Self {
        Self(name, .objects(source ?? name))
    }
}
