extension ManagedObjectContext {
    /// Returns all objects of the entity.
    public func objects<Object: ManagedObject>(
        of objectClass: Object.Type, orderedBy order: [FetchOrder] = []
    ) throws -> [Object] {
        try fetch(FetchRequest<Object>(orderedBy: order))
    }

    /// Returns all objects that have the given value at a key path. The value may be `nil`, or an object that a
    /// relationship leads to.
    public func objects<Object: ManagedObject>(
        of objectClass: Object.Type, matching key: String, equals value: any PredicateArgument,
        orderedBy order: [FetchOrder] = []
    ) throws -> [Object] {
        try fetch(FetchRequest<Object>(matching: .equality(key, value.predicateExpression), orderedBy: order))
    }

    /// Returns the only object that has the given value at a key path, or `nil` if there is none.
    ///
    /// - Throws: A `FetchError` if there are several.
    public func object<Object: ManagedObject>(
        of objectClass: Object.Type, matching key: String, equals value: any PredicateArgument
    ) throws -> Object? {
        let found = try fetch(
            FetchRequest<Object>(matching: .equality(key, value.predicateExpression), limit: 2))
        guard found.count < 2 else {
            throw FetchError(.several, "several objects of \(found[0].entity.name) have this value of \(key)")
        }
        return found.first
    }

    /// Returns the first object that matches a request, or `nil` if there is none.
    public func first<Object: ManagedObject>(_ request: FetchRequest<Object>) throws -> Object? {
        try fetch(request.onlyFirst).first
    }

    /// Returns whether an object matches a request.
    public func exists<Object: ManagedObject>(_ request: FetchRequest<Object>) throws -> Bool {
        try count(request.onlyFirst) > 0
    }

    /// Returns the object of a class with this object ID, or `nil` if it does not exist.
    ///
    /// - Throws: A ``FetchError`` if the ID is of an object of another class.
    public func object<Object: ManagedObject>(
        of objectClass: Object.Type, objectID: ObjectID
    ) throws -> Object? {
        guard let found = try object(objectID) else { return nil }
        guard let object = found as? Object else {
            throw FetchError(
                .unknownEntity, "the objects of \(objectID.entity) are not of the class \(objectClass)")
        }
        return object
    }
}

extension FetchRequest {
    fileprivate var onlyFirst: Self {
        var request = self
        request.limit = min(limit ?? 1, 1)
        return request
    }
}

extension FetchPredicate {
    fileprivate static func equality(_ key: String, _ value: Expression) -> FetchPredicate {
        FetchPredicate(.key(key), .equal, value)
    }
}
