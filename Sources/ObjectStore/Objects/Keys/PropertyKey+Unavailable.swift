// The compiler says what to write instead of common mistakes.

extension PropertyKey where Value: AttributeValueConvertible {
    /// Unavailable: a key is compared with a value of its own type.
    @available(*, unavailable, message: "the value is not of the type of the property; convert it before")
    public static func == <Other>(key: Self, value: Other) -> FetchPredicate {
        fatalError("unavailable")
    }

    /// Unavailable: a key is compared with a value of its own type.
    @available(*, unavailable, message: "the value is not of the type of the property; convert it before")
    public static func != <Other>(key: Self, value: Other) -> FetchPredicate {
        fatalError("unavailable")
    }

    /// Unavailable: a key is compared with a value of its own type.
    @available(*, unavailable, message: "the value is not of the type of the property; convert it before")
    public static func < <Other>(key: Self, value: Other) -> FetchPredicate {
        fatalError("unavailable")
    }

    /// Unavailable: a key is compared with a value of its own type.
    @available(*, unavailable, message: "the value is not of the type of the property; convert it before")
    public static func <= <Other>(key: Self, value: Other) -> FetchPredicate {
        fatalError("unavailable")
    }

    /// Unavailable: a key is compared with a value of its own type.
    @available(*, unavailable, message: "the value is not of the type of the property; convert it before")
    public static func > <Other>(key: Self, value: Other) -> FetchPredicate {
        fatalError("unavailable")
    }

    /// Unavailable: a key is compared with a value of its own type.
    @available(*, unavailable, message: "the value is not of the type of the property; convert it before")
    public static func >= <Other>(key: Self, value: Other) -> FetchPredicate {
        fatalError("unavailable")
    }

    /// Unavailable: only a key of an optional type is compared with nil.
    @available(
        *, unavailable, message: "the property is not optional, so it is never nil; leave out the comparison"
    )
    public static func == (key: Self, value: _OptionalNilComparisonType) -> FetchPredicate {
        fatalError("unavailable")
    }

    /// Unavailable: only a key of an optional type is compared with nil.
    @available(
        *, unavailable, message: "the property is not optional, so it is never nil; leave out the comparison"
    )
    public static func != (key: Self, value: _OptionalNilComparisonType) -> FetchPredicate {
        fatalError("unavailable")
    }

    /// Unavailable: numbers of one type are calculated with, and dates with seconds.
    @available(
        *, unavailable,
        message:
            "arithmetic needs two numbers of one type, or a date and seconds; convert the value, or use a format string"
    )
    public static func + <Other>(key: Self, value: Other) -> Self {
        fatalError("unavailable")
    }

    /// Unavailable: numbers of one type are calculated with, and dates with seconds.
    @available(
        *, unavailable,
        message:
            "arithmetic needs two numbers of one type, or a date and seconds; convert the value, or use a format string"
    )
    public static func - <Other>(key: Self, value: Other) -> Self {
        fatalError("unavailable")
    }

    /// Unavailable: numbers of one type are calculated with, and dates with seconds.
    @available(
        *, unavailable,
        message:
            "arithmetic needs two numbers of one type, or a date and seconds; convert the value, or use a format string"
    )
    public static func * <Other>(key: Self, value: Other) -> Self {
        fatalError("unavailable")
    }

    /// Unavailable: numbers of one type are calculated with, and dates with seconds.
    @available(
        *, unavailable,
        message:
            "arithmetic needs two numbers of one type, or a date and seconds; convert the value, or use a format string"
    )
    public static func / <Other>(key: Self, value: Other) -> Self {
        fatalError("unavailable")
    }
}

extension ToOneKey {
    /// Unavailable: a relationship is compared with an object of its class.
    @available(
        *, unavailable,
        message: "a relationship is compared with an object of its class; name a property for a value"
    )
    public static func == <Other>(key: Self, value: Other) -> FetchPredicate {
        fatalError("unavailable")
    }

    /// Unavailable: a relationship is compared with an object of its class.
    @available(
        *, unavailable,
        message: "a relationship is compared with an object of its class; name a property for a value"
    )
    public static func != <Other>(key: Self, value: Other) -> FetchPredicate {
        fatalError("unavailable")
    }
}

extension ManagedObjectClass {
    /// Unavailable: only a Boolean property is a condition.
    @available(
        *, unavailable, message: "only a Boolean property is a condition by itself; compare the property"
    )
    public static func `where`<Value>(
        _ condition: (Keys<Self>) throws -> PropertyKey<Value>
    ) rethrows -> FetchRequest<Self> {
        fatalError("unavailable")
    }
}

extension FetchRequest {
    /// Unavailable: only relationships are prefetched.
    @available(
        *, unavailable,
        message:
            "only a relationship or an external attribute is prefetched; other attributes are read with their object"
    )
    public func prefetching<Value: AttributeValueConvertible>(_ key: KeyPath<Object, Value>) -> Self {
        fatalError("unavailable")
    }
}

extension FetchPredicate {
    /// Unavailable: a condition is joined with another condition.
    @available(
        *, unavailable, message: "a predicate cannot be joined with a Bool; test the Bool with `if` before"
    )
    public static func && (left: FetchPredicate, right: Bool) -> FetchPredicate {
        fatalError("unavailable")
    }

    /// Unavailable: a condition is joined with another condition.
    @available(
        *, unavailable, message: "a predicate cannot be joined with a Bool; test the Bool with `if` before"
    )
    public static func && (left: Bool, right: FetchPredicate) -> FetchPredicate {
        fatalError("unavailable")
    }

    /// Unavailable: a condition is joined with another condition.
    @available(
        *, unavailable, message: "a predicate cannot be joined with a Bool; test the Bool with `if` before"
    )
    public static func || (left: FetchPredicate, right: Bool) -> FetchPredicate {
        fatalError("unavailable")
    }

    /// Unavailable: a condition is joined with another condition.
    @available(
        *, unavailable, message: "a predicate cannot be joined with a Bool; test the Bool with `if` before"
    )
    public static func || (left: Bool, right: FetchPredicate) -> FetchPredicate {
        fatalError("unavailable")
    }
}

extension PropertyKey where Value: PredicateFlag {
    /// Unavailable: a condition is joined with another condition.
    @available(
        *, unavailable, message: "a predicate cannot be joined with a Bool; test the Bool with `if` before"
    )
    public static func && (left: Self, right: Bool) -> FetchPredicate {
        fatalError("unavailable")
    }

    /// Unavailable: a condition is joined with another condition.
    @available(
        *, unavailable, message: "a predicate cannot be joined with a Bool; test the Bool with `if` before"
    )
    public static func && (left: Bool, right: Self) -> FetchPredicate {
        fatalError("unavailable")
    }

    /// Unavailable: a condition is joined with another condition.
    @available(
        *, unavailable, message: "a predicate cannot be joined with a Bool; test the Bool with `if` before"
    )
    public static func || (left: Self, right: Bool) -> FetchPredicate {
        fatalError("unavailable")
    }

    /// Unavailable: a condition is joined with another condition.
    @available(
        *, unavailable, message: "a predicate cannot be joined with a Bool; test the Bool with `if` before"
    )
    public static func || (left: Bool, right: Self) -> FetchPredicate {
        fatalError("unavailable")
    }
}
