// A child context shows the state of its parent with the unsaved changes of both. The changes of all its ancestors are
// written to the open transaction before its own, in one level. Its save repeats its changes in the parent, with the
// steps that a program's changes of the parent take.

extension ManagedObjectContext {
    /// The parent, its parent and so on.
    var ancestors: [ManagedObjectContext] {
        var ancestors: [ManagedObjectContext] = []
        var next = parent
        while let ancestor = next {
            ancestors.append(ancestor)
            next = ancestor.parent
        }
        return ancestors
    }

    /// Whether this context is `other` or one of its descendants.
    func descends(from other: ManagedObjectContext) -> Bool {
        self === other || parent?.descends(from: other) ?? false
    }

    /// Returns this context's object for an object of another context with the same coordinator, such as the parent, or
    /// `nil` if there is none.
    public func counterpart<Object: ManagedObject>(of object: Object) throws -> Object? {
        try self.object(object.objectID) as? Object
    }

    // MARK: - Reading

    /// Makes the stores show neither changes of contexts that this one does not see, nor changes of its own that no
    /// longer count. In a child, they show the unsaved changes of its ancestors.
    @inline(__always)
    func enterStores() throws {
        if parent == nil { coordinator.enter(self) } else { try writeAncestors() }
    }

    /// Makes the stores show the state without the unsaved changes of this context.
    func showParentState() throws {
        coordinator.abandonWriter()
        try parent?.writeChanges()
    }

    private func writeAncestors() throws {
        let ancestors = ancestors
        forgetRevertedChanges()
        for ancestor in ancestors where ancestor.parent != nil { ancestor.forgetRevertedChanges() }
        if coordinator.isOnlyWriter(self), !ancestors.contains(where: \.hasUnwrittenChanges) {
            return try settleRevivals()
        }
        coordinator.abandonWriter()
        for ancestor in ancestors.reversed() {
            try ancestor.settleRevivals()
            try ancestor.replaceRolledBackValues()
            guard ancestor.hasUnwrittenChanges else { continue }
            try ancestor.writeUnwritten(for: self)
        }
        try settleRevivals()
    }

    /// Throws if this context is a child, which has no saved state of its own and does not change the store directly.
    func refuseInChild(_ operation: String) throws {
        guard parent != nil else { return }
        throw FetchError(
            .unsupported, "a child context has no \(operation); use the context without a parent")
    }

    // MARK: - Changes of the ancestors

    /// Forgets changes that were set back, because they would hide the values that an ancestor has now.
    private func forgetRevertedChanges() {
        guard !unwrittenObjects.isEmpty, hasOutdatedObjects,
            unwrittenObjects.contains(where: \.hasRevertedChanges)
        else { return }
        // The open transaction may have a value from before.
        coordinator.abandonWriter()
        forgetWritten()
    }

    /// Treats objects as doubtful whenever an ancestor changes them.
    func observeAncestors() -> [ObservationToken] {
        ancestors.flatMap { ancestor in
            [
                ancestor.observe { [weak self] event in self?.note(event) },
                ancestor.observeDiscards { [weak self] in self?.distrustObjects() },
            ]
        }
    }

    private func note(_ event: ContextEvent) {
        switch event {
        case .inserted, .rolledBack: areRevivalsDoubtful = !revived.isEmpty
        default: break
        }
        switch event {
        case .inserted(let object), .changed(let object, _), .deleted(let object): distrust(object)
        case .saved: break
        case .rolledBack, .merged: distrustObjects()
        }
    }

    private func distrust(_ object: ManagedObject) {
        voidings += 1
        let known = registry(of: object.storedEntity, at: object.storePosition).table[object.id]
        if let known, known.isInStore, known.freshness == .current { known.freshness = .doubtful }
    }

    private func distrustObjects() {
        voidings += 1
        for object in registries.lazy.flatMap(\.table.objects)
        where object.isInStore && object.freshness == .current {
            object.freshness = .doubtful
        }
    }

    // MARK: - Objects that an ancestor may have again

    /// Records that a new object has the ID of a former one. The ancestors are asked for it before the next read or save.
    func noteRevival(of object: ManagedObject) {
        guard parent != nil else { return }
        revived.append(object)
        areRevivalsDoubtful = true
    }

    /// Turns new objects that an ancestor has, because it discarded their deletion, into saved ones with unsaved changes.
    ///
    /// Call it only when the stores show the changes of the ancestors.
    private func settleRevivals() throws {
        guard areRevivalsDoubtful else { return }
        for object in revived where object.state == .inserted && !object.hasRow {
            let store = try coordinator.store(at: object.storePosition)
            guard let row = try store.row(object.id, of: object.storedEntity) else { continue }
            object.state = .saved
            object.hasRow = true
            if related != nil { takeRelatedValues(of: object, from: row) }
            object.changed = .none
            for column in 0..<row.count where object.values[column] != row[column] {
                object.changed.insert(column)
            }
            object.savedValues = object.changed.isEmpty ? nil : row
            object.unwritten = object.changed
            object.related = nil
        }
        revived.removeAll { $0.state != .inserted }
        areRevivalsDoubtful = false
    }

    private func observeDiscards(_ handler: @escaping () -> Void) -> ObservationToken {
        let list = discardObservers ?? ObserverList<Void, Never>()
        discardObservers = list
        return list.add(handler)
    }

    // MARK: - Saving

    /// Repeats the changes of this context in its parent. They must be checked, and no conflict may be left.
    func moveChanges(to parent: ManagedObjectContext) throws {
        let changed = tracked.filter(\.hasChanges)
        let links = pairs.all
        coordinator.abandonWriter()
        let move = try ChildSave(changed, links, to: parent)
        parent.undoLog.endGroup()
        move.run()
        parent.undoLog.endGroup()
        let changes = settleAsChild()
        parent.processPendingChanges()
        if !observers.isEmpty { observers.notify(.saved(changes)) }
        processPendingChanges()
    }

    /// Records that the parent has all changes.
    private func settleAsChild() -> SavedChanges {
        undoLog.endGroup()
        var changes = SavedChanges(author: transactionAuthor)
        for object in tracked {
            changes.record(object)
            settle(object)
            object.hasRow = object.isInStore
            object.lists.remove(.queued)
            // An observer of the parent may have changed the object there.
            if object.isAlive { object.freshness = .doubtful }
        }
        tracked = []
        pairs = ChangedPairs()
        revived = []
        unwrittenObjects = []
        unwrittenPairs = []
        // The parent has these changes now, and may discard them.
        related?.forgetWritten()
        return changes
    }
}

/// The changes of a child context with the objects of its parent that they concern.
///
/// The initializer does all that can fail.
private struct ChildSave {
    private struct Link {
        let owner: ManagedObject
        let position: Int
        let other: ManagedObject
        let inverse: Int
        let isLinked: Bool
    }

    private let parent: ManagedObjectContext
    private var inserted: [(source: ManagedObject, object: ManagedObject)] = []
    private var updated: [(source: ManagedObject, object: ManagedObject)] = []
    private var deleted: [ManagedObject] = []
    private var links: [Link] = []
    /// The new objects of the parent, by their object ID.
    private var newObjects: [ObjectID: ManagedObject] = [:]

    init(
        _ changed: [ManagedObject], _ pairs: [ManagedObjectContext.PairKey: Bool],
        to parent: ManagedObjectContext
    ) throws {
        self.parent = parent
        var missing: [ObjectID] = []
        for source in changed {
            let registry = Self.registry(of: source, in: parent)
            if source.isInserted {
                let known = registry.table[source.id]
                if known?.isAlive == true { missing.append(source.objectID) }
                let object = known ?? Self.make(source, in: registry)
                inserted.append((source, object))
                newObjects[source.objectID] = object
            } else if let object = try parent.object(source.id, in: registry) {
                if source.isAlive { updated.append((source, object)) } else { deleted.append(object) }
            } else if source.isAlive, !source.changed.isEmpty {
                missing.append(source.objectID)
            }
        }
        guard missing.isEmpty else { throw parent.conflict(about: missing) }
        for (key, isLinked) in pairs.sorted(by: { $0.key.order < $1.key.order }) {
            if let link = try link(key, isLinked: isLinked) { links.append(link) }
        }
    }

    private static func registry(
        of source: ManagedObject, in parent: ManagedObjectContext
    ) -> ObjectRegistry {
        parent.registry(of: source.storedEntity, at: source.storePosition).member(source.entity)
    }

    /// Creates the object without relationships, and outside of the parent's table. Its insertion adds it.
    private static func make(_ source: ManagedObject, in registry: ObjectRegistry) -> ManagedObject {
        registry.objectClass.init(
            ObjectPlacement(
                registry: registry, id: source.id, values: .make(source.entity.defaults), state: .detached))
    }

    private func link(_ key: ManagedObjectContext.PairKey, isLinked: Bool) throws -> Link? {
        let link = parent.model.links[key.link]
        guard let owner = try object(key.ownerID, of: parent.model.entities[link.ownerIndex], at: key.store),
            let other = try object(key.otherID, of: parent.model.entities[link.otherIndex], at: key.store),
            let position = owner.entity.toMany.firstIndex(where: {
                $0.link?.index == key.link && ($0.link?.isOwner == true || $0.link?.isSymmetric == true)
            }), case .toMany(let inverse) = owner.entity.toMany[position].inverse
        else { return nil }
        // A step changes both directions of a symmetric relationship.
        if owner.entity.toMany[position].link?.isSymmetric == true, key.ownerID > key.otherID { return nil }
        let isNew = newObjects[owner.objectID] != nil
        let isMember =
            try !isNew && parent.memberIDs(of: owner, position: position).contains(sorted: other.id)
        if isMember == isLinked { return nil }
        return Link(owner: owner, position: position, other: other, inverse: inverse, isLinked: isLinked)
    }

    private func object(_ id: Int64, of entity: Entity, at store: Int) throws -> ManagedObject? {
        let registry = parent.registry(of: entity, at: store)
        return try newObjects[registry.objectID(id)] ?? parent.object(id, in: registry)
    }

    func run() {
        for (source, object) in inserted {
            parent.adopt(object)
            for column in 0..<object.entity.firstToOne { copy(column, of: source, to: object) }
        }
        for (source, object) in inserted {
            for column in object.entity.firstToOne..<object.entity.columns.count {
                copy(column, of: source, to: object)
            }
            if object.isInserted { object.changed.formUnion(source.changed) }
        }
        for (source, object) in updated {
            for column in object.entity.columns.indices where source.isChanged(column) {
                copy(column, of: source, to: object)
            }
        }
        for link in links where link.owner.isAlive && link.other.isAlive {
            parent.setPair(
                link.owner, position: link.position, with: link.other, inverse: link.inverse,
                isLinked: link.isLinked)
        }
        for object in deleted where object.isAlive { parent.recordDeletion(of: object) }
    }

    private func copy(_ column: Int, of source: ManagedObject, to object: ManagedObject) {
        guard object.isAlive, object.values[column] != source.values[column],
            !parent.relatedColumns(of: object.entity).contains(column)
        else { return }
        parent.set(source.values[column], inColumn: column, of: object)
    }
}

extension ManagedObjectContext {
    /// Inserts an object that a child has inserted, or restores one that was deleted here.
    fileprivate func adopt(_ object: ManagedObject) {
        guard object.state == .detached else { return recordRevival(of: object) }
        object.state = .inserted
        object.home.table.insert(object)
        recordInsertion(of: object)
    }
}

extension ManagedObject {
    /// Whether some changed properties have their saved values again, although another context may have saved the object.
    final var hasRevertedChanges: Bool {
        state == .saved && freshness != .current && changed != netChanges
    }

    /// Forgets changes that were set back.
    final func forgetRevertedChanges() {
        changed = netChanges
        if changed.isEmpty { savedValues = nil }
    }

    /// The changed columns, without those that have their saved value again.
    private final var netChanges: ColumnSet {
        guard savedValues != nil else { return changed }
        var columns = ColumnSet.none
        for column in entity.columns.indices where isChanged(column) { columns.insert(column) }
        return columns
    }

    /// Whether a column has another value than the saved one.
    fileprivate final func isChanged(_ column: Int) -> Bool {
        changed.contains(column) && values[column] != (savedValues ?? values)[column]
    }
}

extension ManagedObjectContext.PairKey {
    /// The place of the pair in an order that is the same in each run.
    fileprivate var order: (Int, Int, Int64, Int64) { (store, link, ownerID, otherID) }
}
