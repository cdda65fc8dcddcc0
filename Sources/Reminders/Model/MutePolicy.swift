internal import ObjectStore

/// A migration policy that mutes the items that match a predicate of the old model.
final class MutePolicy: EntityMigrationPolicy {
    private let isMuted: FetchPredicate

    init(_ isMuted: FetchPredicate) {
        self.isMuted = isMuted
    }

    override var createsRelationships: Bool { false }

    override func createDestinationInstances(
        for source: ManagedObject, in mapping: EntityMapping, with manager: MigrationManager
    ) throws {
        let item = try manager.createDestinationInstance(for: source, in: mapping)
        if try isMuted.matches(source) { try item.setValue(.boolean(true), of: "doNotAlert") }
    }
}
