extension ManagedObjectContext {
    /// Checks the unsaved changes against the rules of the model, without saving them; not the `unique` ones, which only
    /// the store can tell.
    public func validateChanges() throws {
        var validation = Validation()
        for object in tracked where object.isAlive { validation.check(object) }
        guard validation.failures.isEmpty else { throw ValidationError(validation.failures) }
    }
}
