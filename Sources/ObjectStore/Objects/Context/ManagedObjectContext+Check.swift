extension ManagedObjectContext {
    /// Checks the unsaved changes as a save would, without saving them.
    ///
    /// - Throws: A `ValidationError` with everything that the model does not allow, or a `StoreError` if a reference
    ///   leads to a missing object.
    public func validateChanges() throws {
        let unique = try validate()
        try writeChanges()
        try checkUniqueness(of: unique)
        try refuseDanglingReferences()
    }
}
