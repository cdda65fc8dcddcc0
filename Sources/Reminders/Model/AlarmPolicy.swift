internal import ObjectStore

/// A migration policy that connects each alarm, made from an item's lead time, to the migrated item.
final class AlarmPolicy: EntityMigrationPolicy {
    private let itemMapping: String

    /// Creates the policy.
    ///
    /// - Parameter itemMapping: the name of the mapping from items to items, which must run first.
    init(itemMapping: String) {
        self.itemMapping = itemMapping
    }

    // The relationship to the item is required, so it is set at once. The items exist by now.
    override func createDestinationInstances(
        for source: ManagedObject, in mapping: EntityMapping, with manager: MigrationManager
    ) throws {
        let alarm = try manager.createDestinationInstance(for: source, in: mapping)
        let items = try manager.destinationObjects(of: source, inMapping: itemMapping)
        try alarm.setTarget(items.first, of: "toDo")
    }
}
