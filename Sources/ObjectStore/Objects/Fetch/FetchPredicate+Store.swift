extension FetchPredicate {
    /// Returns the predicate for the objects of one store. An object of another store equals none of them, even if it has
    /// the ID of one.
    func inStore(_ store: UUIDValue?) -> FetchPredicate {
        var rewriter = ForeignObjects(store: store)
        return FetchPredicate(rewriter.rewrite(root))
    }
}

extension StoreRequest {
    /// Returns the request for the objects of one store, as `FetchPredicate.inStore` does.
    func inStore(_ store: UUIDValue?) -> StoreRequest {
        var copy = self
        copy.predicate = predicate.inStore(store)
        return copy
    }
}

/// A rewriter that gives the objects of other stores an ID that no object has.
private struct ForeignObjects: PredicateRewriter {
    private static let unusedID = AttributeValue.integer(0)

    /// The identifier in the IDs of the store's objects.
    let store: UUIDValue?

    func rewrite(_ constant: FetchPredicate.Constant) -> FetchPredicate.Expression {
        guard constant.origin.entity != nil, constant.origin.store != store else {
            return .constant(constant)
        }
        var copy = constant
        copy.value = Self.unusedID
        return .constant(copy)
    }
}
