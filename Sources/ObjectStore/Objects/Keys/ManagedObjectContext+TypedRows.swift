extension ManagedObjectContext {
    /// Returns the values of one property of the objects that match a request, without creating the objects.
    ///
    ///     let titles = try context.rows(Book.where { $0.pages > 3 }, of: \.title)
    @inlinable
    public func rows<
        Object: ManagedObject,
        First: AttributeValueConvertible
    >(
        _ request: FetchRequest<Object>,
        of first: KeyPath<Object, First>,
        distinct: Bool = false
    ) throws -> [First] {
        try rows(
            request, of: .key(first), distinct: distinct)
    }

    /// Returns the values of several properties of the objects that match a request, without creating the objects.
    ///
    ///     for (title, name) in try context.rows(Book.all, of: \.title, \.publisher?.name) { … }
    @inlinable
    public func rows<
        Object: ManagedObject,
        First: AttributeValueConvertible,
        Second: AttributeValueConvertible,
        each Rest: AttributeValueConvertible
    >(
        _ request: FetchRequest<Object>,
        of first: KeyPath<Object, First>,
        _ second: KeyPath<Object, Second>,
        _ rest: repeat KeyPath<Object, each Rest>,
        distinct: Bool = false
    ) throws -> [(First, Second, repeat each Rest)] {
        try rows(request, of: .key(first), .key(second), repeat .key(each rest), distinct: distinct)
    }
}
