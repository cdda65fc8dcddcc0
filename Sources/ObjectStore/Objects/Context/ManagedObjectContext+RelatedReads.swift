// Attributes that are derived from related objects are computed when a save or a request uses them, and not whenever changes
// are written. An import that fetches before each insertion would otherwise read all members of an owner each time.

extension ManagedObjectContext {
    /// Computes the derived attributes that a request uses and that unsaved changes affect. The changes must be written.
    func deriveValues(usedBy request: StoreRequest) throws {
        guard isDerivationDue else { return }
        try deriveValues(usedBy: StoreQuery(request: request, columns: []))
    }

    /// Computes the derived attributes that a query uses and that unsaved changes affect. The changes must be written.
    func deriveValues(usedBy query: StoreQuery) throws {
        guard isDerivationDue, let related else { return }
        var search = DerivedAttributeSearch(related.derivations)
        search.visit(query)
        try deriveValues(of: search.entities)
    }

    /// Computes the derived attributes that a key uses and that unsaved changes affect, after it has written the changes.
    func deriveValues(usedBy key: String) throws {
        guard let related else { return }
        try beginReading()
        defer { endReading() }
        var search = DerivedAttributeSearch(related.derivations)
        search.visit(key: key)
        try deriveValues(of: search.entities)
    }

    /// Computes all derived attributes that unsaved changes of this context and its ancestors affect. The changes must be
    /// written.
    func deriveAllValues() throws {
        guard related != nil else { return }
        try deriveValues(of: nil)
    }

    /// Computes the values of entities of which objects in memory lost values of a transaction that was rolled back. The
    /// changes must be written again.
    func deriveRolledBackValues() throws {
        guard let related, !related.entitiesToDeriveAgain.isEmpty else { return }
        try deriveValues(of: related.takeEntitiesToDeriveAgain())
    }

    /// Whether written changes of this context or its ancestors affect derived attributes that are not computed yet.
    var isDerivationDue: Bool {
        guard let related else { return false }
        return !related.affected.isEmpty || parent?.isDerivationDue == true
    }

    /// Computes the derived attributes of some entities, or of all entities if `entities` is `nil`.
    private func deriveValues(of entities: Set<Int>?) throws {
        for context in ancestors.reversed() + [self] {
            guard let affected = context.related?.takeAffected(of: entities), !affected.isEmpty else {
                continue
            }
            do {
                try context.derive(affected, for: self)
            } catch {
                coordinator.transactionFailed(error)
                throw error
            }
        }
    }
}
