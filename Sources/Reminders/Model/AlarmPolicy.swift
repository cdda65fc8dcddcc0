internal import ObjectStore

/// Leads each alarm that was made of an item's lead time to what became of the item.
final class AlarmPolicy: EntityMigrationPolicy {
    private let itemMapping: String

    /// `itemMapping` is the name of the mapping from items to items, which has to come first.
    init(itemMapping: String) {
        self.itemMapping = itemMapping
    }

    // An alarm is never without its item, so it gets it at once: the items are there by now.
    override func createDestinationInstances(
        for source: ManagedObject, in mapping: EntityMapping, with manager: MigrationManager
    ) throws {
        let alarm = try manager.createDestinationInstance(for: source, in: mapping)
        let items = try manager.destinationObjects(of: source, inMapping: itemMapping)
        try alarm.setTarget(items.first, of: "toDo")
    }
}
