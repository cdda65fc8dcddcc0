/// A custom step in the migration of one entity mapping.
///
/// By default, every hook follows the property mappings. A subclass overrides some hooks and calls `super`
/// for the default behavior. The manager calls them in this order:
///
///     for each entity mapping:    begin
///                                 createDestinationInstances, for each source object
///                                 endInstanceCreation
///     for each entity mapping:    createRelationships, for each created object
///                                 endRelationshipCreation
///     for each entity mapping:    performCustomValidation
///                                 end
///
/// An error thrown by a hook ends the migration and leaves the store unchanged. The manager regularly saves
/// the created objects and releases them, so a policy should keep ids instead of objects.
open class EntityMigrationPolicy {
    /// Creates a policy. One is created for each migration.
    public init() {}

    /// Whether `createRelationships` may do anything other than follow the property mappings.
    ///
    /// The default is true. A policy that does not override that hook should return false. The hook is then not
    /// called, and the objects need not be read a second time.
    open var createsRelationships: Bool { true }

    /// Called before the objects of the mapping are created.
    open func begin(_ mapping: EntityMapping, with manager: MigrationManager) throws {}

    /// Creates the destination objects for one source object: none, one or several.
    ///
    /// An override that creates objects without `manager.createDestinationInstance` calls `associate` for
    /// each of them, so that relationships can find them.
    open func createDestinationInstances(
        for source: ManagedObject, in mapping: EntityMapping, with manager: MigrationManager
    ) throws {
        _ = try manager.createDestinationInstance(for: source, in: mapping)
    }

    /// Called after all objects of the mapping are created.
    open func endInstanceCreation(in mapping: EntityMapping, with manager: MigrationManager) throws {}

    /// Sets the relationships of one created object. All other objects exist at this point.
    open func createRelationships(
        for destination: ManagedObject, in mapping: EntityMapping, with manager: MigrationManager
    ) throws {
        try manager.createRelationships(for: destination, in: mapping)
    }

    /// Called after the relationships of all objects of the mapping are set.
    open func endRelationshipCreation(in mapping: EntityMapping, with manager: MigrationManager) throws {}

    /// Validates the created objects and throws if they are wrong. The rules of the model are checked
    /// separately.
    open func performCustomValidation(of mapping: EntityMapping, with manager: MigrationManager) throws {}

    /// Called at the end of the migration, before its last save.
    open func end(_ mapping: EntityMapping, with manager: MigrationManager) throws {}
}
