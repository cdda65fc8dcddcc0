/// The effects that the unsaved changes of a context have on attributes that are derived from related objects.
final class RelatedChanges {
    let derivations: RelatedDerivations
    /// The objects whose values in the open transactions do not follow from the changes there yet.
    var affected = AffectedOwners()
    /// The objects to which a changed object referred whenever it was written, because its row in the open transaction has the
    /// last of them only.
    private(set) var formerTargets: [ManagedObject: Set<DerivedObjectKey>] = [:]
    /// The columns whose values were written to the open transactions.
    private(set) var changedColumns: [DerivedObjectKey: Set<Int>] = [:]
    /// The objects in memory that have values of the open transactions.
    private(set) var objectsWithUnsavedValues: Set<DerivedObjectKey> = []
    /// The objects in memory that may have values of transactions that were rolled back.
    private(set) var objectsToReadAgain: Set<DerivedObjectKey> = []
    /// The entities of objects in memory that lost values of transactions that were rolled back. The next read that writes
    /// the changes again computes the values of these entities again, too.
    private(set) var entitiesToDeriveAgain: Set<Int> = []
    /// The values that the model does not allow. They are not written.
    private(set) var failures: [DerivedObjectKey: [ValidationError.Failure]] = [:]

    init(_ derivations: RelatedDerivations) { self.derivations = derivations }

    /// Records that values of an object were written to the open transactions.
    func recordChange(of columns: Set<Int>, in key: DerivedObjectKey) {
        changedColumns[key, default: []].formUnion(columns)
    }

    /// Records that an object in memory has values of the open transactions.
    func recordUnsavedValues(of key: DerivedObjectKey) { objectsWithUnsavedValues.insert(key) }

    /// Records the objects to which a changed object refers.
    func recordTargets(_ keys: [DerivedObjectKey], of object: ManagedObject) {
        formerTargets[object, default: []].formUnion(keys)
    }

    /// Records the reasons why new values of an object are not allowed.
    func recordFailures(_ found: [ValidationError.Failure], of key: DerivedObjectKey) {
        failures[key] = found.isEmpty ? nil : found
    }

    /// Returns the affected objects of some entities, or of all if `entities` is `nil`, and forgets them.
    func takeAffected(of entities: Set<Int>?) -> AffectedOwners {
        if let entities {
            return affected.remove(of: entities) { [derivations] search in
                derivations.effects[search.place.entity][search.effect].entity
            }
        }
        defer { affected = AffectedOwners() }
        return affected
    }

    /// Forgets the failures of objects that are about to be computed.
    func forgetFailures(of affected: AffectedOwners) {
        guard !failures.isEmpty else { return }
        for (place, ids) in affected.owners {
            for id in ids { failures[DerivedObjectKey(place: place, id: id)] = nil }
        }
    }

    /// Forgets the changes in the open transactions, which were rolled back.
    func forgetWritten() {
        affected = AffectedOwners()
        changedColumns = [:]
        failures = [:]
        formerTargets = [:]
        objectsToReadAgain.formUnion(objectsWithUnsavedValues)
        objectsWithUnsavedValues = []
    }

    /// Returns the objects whose values in memory have to be read again, and forgets them.
    func takeObjectsToReadAgain() -> Set<DerivedObjectKey> {
        defer { objectsToReadAgain = [] }
        for key in objectsToReadAgain { entitiesToDeriveAgain.insert(key.place.entity) }
        return objectsToReadAgain
    }

    /// Returns the entities whose values have to be computed again, and forgets them.
    func takeEntitiesToDeriveAgain() -> Set<Int> {
        defer { entitiesToDeriveAgain = [] }
        return entitiesToDeriveAgain
    }

    /// Forgets the changes in the stores at these positions, which were saved.
    func settle(savedAt positions: [Int]) {
        changedColumns = changedColumns.filter { !positions.contains($0.key.place.store) }
        objectsWithUnsavedValues = objectsWithUnsavedValues.filter { !positions.contains($0.place.store) }
        failures = [:]
        formerTargets = formerTargets.filter { !positions.contains($0.key.storePosition) }
    }
}
