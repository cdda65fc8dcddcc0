/// Takes part in the migration of one entity mapping.
///
/// Every hook does by default what the property mappings say; a subclass overrides those where it wants more,
/// and calls `super` for the rest. The manager calls them in this order:
///
///     for each entity mapping:    begin
///                                 createDestinationInstances, for each object of the source
///                                 endInstanceCreation
///     for each entity mapping:    createRelationships, for each object that was made
///                                 endRelationshipCreation
///     for each entity mapping:    performCustomValidation
///                                 end
///
/// What a hook throws ends the migration, and the store is as it was. The manager saves what was made every
/// now and then and lets go of it, so a policy keeps ids rather than objects.
open class EntityMigrationPolicy {
    public init() {}

    /// Whether `createRelationships` may do anything but what the property mappings say.
    ///
    /// A policy that does not override that hook answers false here, which spares most migrations reading every
    /// object a second time. The hook is not called then.
    open var createsRelationships: Bool { true }

    open func begin(_ mapping: EntityMapping, with manager: MigrationManager) throws {}

    /// Makes what becomes of one object of the source: one object, none or several.
    ///
    /// Objects that are made without `manager.createDestinationInstance` are told to the manager with
    /// `associate`, so that relationships find them.
    open func createDestinationInstances(
        for source: ManagedObject, in mapping: EntityMapping, with manager: MigrationManager
    ) throws {
        _ = try manager.createDestinationInstance(for: source, in: mapping)
    }

    open func endInstanceCreation(in mapping: EntityMapping, with manager: MigrationManager) throws {}

    /// Sets the relationships of one object that was made. All other objects are there by now.
    open func createRelationships(
        for destination: ManagedObject, in mapping: EntityMapping, with manager: MigrationManager
    ) throws {
        try manager.createRelationships(for: destination, in: mapping)
    }

    open func endRelationshipCreation(in mapping: EntityMapping, with manager: MigrationManager) throws {}

    /// Throws when what was made is not as it should be. The rules of the model are checked without it.
    open func performCustomValidation(of mapping: EntityMapping, with manager: MigrationManager) throws {}

    open func end(_ mapping: EntityMapping, with manager: MigrationManager) throws {}
}
