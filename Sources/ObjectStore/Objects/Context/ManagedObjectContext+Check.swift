extension ManagedObjectContext {
    /// Checks the unsaved changes as a save would, without saving them.
    ///
    /// With another `uniquenessPolicy` than `error`, new objects are merged into saved ones first.
    ///
    /// - Throws: A `ValidationError` with everything that the model does not allow, or a `StoreError` if a reference
    ///   leads to a missing object.
    public func validateChanges() throws {
        coordinator.beginCall()
        defer { coordinator.endCall() }
        try mergeNewObjects()
        let unique = try validate()
        try writeChanges()
        try deriveAllValues()
        try refuseInvalidRelatedValues()
        try checkUniqueness(of: unique)
        try refuseDanglingReferences()
    }
}
