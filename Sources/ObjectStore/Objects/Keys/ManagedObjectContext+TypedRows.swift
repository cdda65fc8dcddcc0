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

    /// Returns the values of two properties of the objects that match a request, without creating the objects.
    ///
    ///     for (title, name) in try context.rows(Book.all, of: \.title, \.publisher?.name) { … }
    @inlinable
    public func rows<
        Object: ManagedObject,
        First: AttributeValueConvertible,
        Second: AttributeValueConvertible
    >(
        _ request: FetchRequest<Object>,
        of first: KeyPath<Object, First>,
        _ second: KeyPath<Object, Second>,
        distinct: Bool = false
    ) throws -> [(First, Second)] {
        try rows(
            request, of: .key(first), .key(second), distinct: distinct)
    }

    /// Returns the values of three properties of the objects that match a request, without creating the objects.
    @inlinable
    public func rows<
        Object: ManagedObject,
        First: AttributeValueConvertible,
        Second: AttributeValueConvertible,
        Third: AttributeValueConvertible
    >(
        _ request: FetchRequest<Object>,
        of first: KeyPath<Object, First>,
        _ second: KeyPath<Object, Second>,
        _ third: KeyPath<Object, Third>,
        distinct: Bool = false
    ) throws -> [(First, Second, Third)] {
        try rows(
            request, of: .key(first), .key(second), .key(third), distinct: distinct)
    }

    /// Returns the values of four properties of the objects that match a request, without creating the objects.
    @inlinable
    public func rows<
        Object: ManagedObject,
        First: AttributeValueConvertible,
        Second: AttributeValueConvertible,
        Third: AttributeValueConvertible,
        Fourth: AttributeValueConvertible
    >(
        _ request: FetchRequest<Object>,
        of first: KeyPath<Object, First>,
        _ second: KeyPath<Object, Second>,
        _ third: KeyPath<Object, Third>,
        _ fourth: KeyPath<Object, Fourth>,
        distinct: Bool = false
    ) throws -> [(First, Second, Third, Fourth)] {
        try rows(
            request, of: .key(first), .key(second), .key(third), .key(fourth), distinct: distinct)
    }

    /// Returns the values of five properties of the objects that match a request, without creating the objects.
    @inlinable
    public func rows<
        Object: ManagedObject,
        First: AttributeValueConvertible,
        Second: AttributeValueConvertible,
        Third: AttributeValueConvertible,
        Fourth: AttributeValueConvertible,
        Fifth: AttributeValueConvertible
    >(
        _ request: FetchRequest<Object>,
        of first: KeyPath<Object, First>,
        _ second: KeyPath<Object, Second>,
        _ third: KeyPath<Object, Third>,
        _ fourth: KeyPath<Object, Fourth>,
        _ fifth: KeyPath<Object, Fifth>,
        distinct: Bool = false
    ) throws -> [(First, Second, Third, Fourth, Fifth)] {
        try rows(
            request, of: .key(first), .key(second), .key(third), .key(fourth), .key(fifth), distinct: distinct
        )
    }

    /// Returns the values of six properties of the objects that match a request, without creating the objects.
    @inlinable
    public func rows<
        Object: ManagedObject,
        First: AttributeValueConvertible,
        Second: AttributeValueConvertible,
        Third: AttributeValueConvertible,
        Fourth: AttributeValueConvertible,
        Fifth: AttributeValueConvertible,
        Sixth: AttributeValueConvertible
    >(
        _ request: FetchRequest<Object>,
        of first: KeyPath<Object, First>,
        _ second: KeyPath<Object, Second>,
        _ third: KeyPath<Object, Third>,
        _ fourth: KeyPath<Object, Fourth>,
        _ fifth: KeyPath<Object, Fifth>,
        _ sixth: KeyPath<Object, Sixth>,
        distinct: Bool = false
    ) throws -> [(First, Second, Third, Fourth, Fifth, Sixth)] {
        try rows(
            request, of: .key(first), .key(second), .key(third), .key(fourth), .key(fifth), .key(sixth),
            distinct: distinct)
    }

    /// Returns the values of seven or more properties of the objects that match a request, without creating the objects.
    ///
    /// It takes longer for each row than the methods for up to six properties.
    public func rows<
        Object: ManagedObject,
        First: AttributeValueConvertible,
        Second: AttributeValueConvertible,
        Third: AttributeValueConvertible,
        Fourth: AttributeValueConvertible,
        Fifth: AttributeValueConvertible,
        Sixth: AttributeValueConvertible,
        Seventh: AttributeValueConvertible,
        each Rest: AttributeValueConvertible
    >(
        _ request: FetchRequest<Object>,
        of first: KeyPath<Object, First>,
        _ second: KeyPath<Object, Second>,
        _ third: KeyPath<Object, Third>,
        _ fourth: KeyPath<Object, Fourth>,
        _ fifth: KeyPath<Object, Fifth>,
        _ sixth: KeyPath<Object, Sixth>,
        _ seventh: KeyPath<Object, Seventh>,
        _ rest: repeat KeyPath<Object, each Rest>,
        distinct: Bool = false
    ) throws -> [(First, Second, Third, Fourth, Fifth, Sixth, Seventh, repeat each Rest)] {
        try rows(
            request, of: .key(first), .key(second), .key(third), .key(fourth), .key(fifth), .key(sixth),
            .key(seventh), repeat .key(each rest),
            distinct: distinct)
    }
}
