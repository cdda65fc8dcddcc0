/// A class of managed objects. `ManagedObject` conforms, and so do its subclasses.
///
/// The protocol has members that need the class itself, such as `Book.where { … }`.
public protocol ManagedObjectClass: ManagedObject {}

extension ManagedObject: ManagedObjectClass {}

extension ManagedObjectClass {
    /// A request for all objects of the class.
    public static var all: FetchRequest<Self> { FetchRequest() }

    /// Returns a request for the objects that satisfy a condition.
    ///
    ///     try context.fetch(Book.where { $0.pages > 3 && $0.title == "x" }.ordered(by: \.title).limit(20))
    public static func `where`(
        _ condition: (Keys<Self>) throws -> FetchPredicate
    ) rethrows -> FetchRequest<Self> {
        FetchRequest(matching: try condition(Keys()))
    }

    /// Returns a request for the objects with a Boolean property that is true: `ToDo.where { $0.completed }`.
    public static func `where`<Flag: PredicateFlag>(
        _ condition: (Keys<Self>) throws -> PropertyKey<Flag>
    ) rethrows -> FetchRequest<Self> {
        FetchRequest(matching: try condition(Keys()).isTrue)
    }
}

extension FetchRequest {
    /// Returns the request with a further condition.
    public func `where`(_ condition: (Keys<Object>) throws -> FetchPredicate) rethrows -> Self {
        try adding(condition(Keys()))
    }

    /// Returns the request with the condition that a Boolean property is true.
    public func `where`<Flag: PredicateFlag>(
        _ condition: (Keys<Object>) throws -> PropertyKey<Flag>
    ) rethrows -> Self {
        try adding(condition(Keys()).isTrue)
    }

    private func adding(_ condition: FetchPredicate) -> Self {
        var request = self
        request.predicate = predicate == .all ? condition : predicate && condition
        return request
    }

    /// Returns the request with a further key of its order.
    ///
    /// The key is an attribute or a to-one relationship, which may be at the end of to-one relationships, the ID, or the
    /// number of objects in a relationship: `\.title`, `\.publisher?.name`, `\.id`, `\.authors.count`.
    public func ordered<Value>(
        by key: KeyPath<Object, Value>, options: StringOptions = [], ascending: Bool = true,
        nilIsLast: Bool = false, zeroIsNil: Bool = false
    ) -> Self {
        var request = self
        request.order.append(
            FetchOrder(
                key, options: options, ascending: ascending, nilIsLast: nilIsLast, zeroIsNil: zeroIsNil))
        return request
    }

    /// Returns the request with a column as a further key of the order of its rows.
    ///
    ///     Book.all.ordered(byColumn: .count, ascending: false).ordered(byColumn: .sum(\.pages))
    ///
    /// An aggregate is an order for groups, and not for objects.
    public func ordered<Value>(
        byColumn column: TypedColumn<Object, Value>, options: StringOptions = [], ascending: Bool = true,
        nilIsLast: Bool = false, zeroIsNil: Bool = false
    ) -> Self {
        var request = self
        request.order.append(
            FetchOrder(
                column.column, options: options, ascending: ascending, nilIsLast: nilIsLast,
                zeroIsNil: zeroIsNil))
        return request
    }

    /// Returns the request for at most this number of objects.
    public func limit(_ count: Int) -> Self {
        var request = self
        request.limit = count
        return request
    }

    /// Returns the request without the first objects.
    public func offset(_ count: Int) -> Self {
        var request = self
        request.offset = count
        return request
    }
}

extension FetchOrder {
    /// Creates an order by a property: `FetchOrder(\Book.publisher?.name, ascending: false)`.
    public init<Object: ManagedObject, Value>(
        _ key: KeyPath<Object, Value>, options: StringOptions = [], ascending: Bool = true,
        nilIsLast: Bool = false, zeroIsNil: Bool = false
    ) {
        self.init(
            RecordedKey.of(key).text, options: options, ascending: ascending, nilIsLast: nilIsLast,
            zeroIsNil: zeroIsNil)
    }
}

extension FetchColumn {
    /// Creates the column of a property: `.key(\Book.publisher?.name)`.
    public static func key<Object: ManagedObject, Value>(_ path: KeyPath<Object, Value>) -> Self {
        .key(RecordedKey.of(path).text)
    }
}
