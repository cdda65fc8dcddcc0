extension ManagedObjectContext {
    /// Checks the unsaved changes as a save would, without saving them: a `ValidationError` names everything that the
    /// model does not allow.
    public func validateChanges() throws {
        let unique = try validate()
        try writeChanges()
        try checkUniqueness(of: unique)
        try refuseDanglingReferences()
    }
}
