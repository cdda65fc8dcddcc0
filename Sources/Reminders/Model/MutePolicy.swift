internal import ObjectStore

/// Mutes the items that a predicate of the old model matches.
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
