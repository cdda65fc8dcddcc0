/// A live view of the objects at the other end of a to-many relationship, in its order or, if it has none, in the order
/// of their IDs.
///
/// Every change updates the inverse relationship. An iteration covers the objects that are members when it begins. A
/// relationship knows IDs, not objects, so related objects do not keep one another alive. An iteration reads the
/// members that are not in memory in a single fetch.
public struct RelatedObjects<Element: ManagedObject> {
    @usableFromInline let owner: ManagedObject
    @usableFromInline let position: Int

    init(owner: ManagedObject, position: Int) {
        self.owner = owner
        self.position = position
    }

    /// The number of related objects.
    public var count: Int { owner.registry.recorder.map { $0.count() } ?? ids.count }

    /// Whether no object is related.
    public var isEmpty: Bool { ids.isEmpty }

    /// Whether an object is related.
    public func contains(_ object: Element) -> Bool {
        ids.contains(sorted: object.id) && isOfSameStore(object)
    }

    /// Returns all objects.
    ///
    /// If they cannot be read, this method throws. An iteration leaves the error to the next save.
    @inlinable
    public func all() throws -> [Element] {
        let members = try owner.members(at: position)
        var elements: [Element] = []
        elements.reserveCapacity(members.count)
        // The model has checked that the destination has this class.
        for member in members { elements.append(unsafeDowncast(member, to: Element.self)) }
        return elements
    }

    /// Relates an object, at both ends. Has no effect if it is related already.
    ///
    /// If the object or the owner is deleted, or if the object belongs to another context, the next save throws a
    /// ``PropertyError``.
    ///
    /// In an ordered relationship, the object comes last.
    public func insert(_ object: Element) {
        change(object, isMember: true)
    }

    /// Relates an object, at both ends, and gives it an index. An object that is related already moves there.
    ///
    /// Traps if the relationship is not ordered, or if the index exceeds the number of other members.
    public func insert(_ object: Element, at index: Int) {
        guard let context = owner.context else {
            owner.failWithoutContext("changed", property: owner.entity.toMany[position].name)
        }
        // The index is checked before anything changes.
        let isChecked: Void? = context.reading {
            try context.requirePlace(for: object, in: owner, position: position, at: index)
        }
        guard isChecked != nil else { return }
        guard change(object, isMember: true) else { return }
        _ = context.reading { try context.place(object, in: owner, position: position, at: index) }
    }

    /// Ends the relation to an object, at both ends. Has no effect if it is not related.
    public func remove(_ object: Element) {
        change(object, isMember: false)
    }

    /// Makes the given objects the only members. In an ordered relationship, they get this order.
    public func replace(with objects: some Sequence<Element>) {
        let wanted = Array(objects)
        let requestedIDs = Set(wanted.lazy.filter(isOfSameStore).map(\.id))
        for member in self where !requestedIDs.contains(member.id) { remove(member) }
        guard wanted.reduce(true, { change($1, isMember: true) && $0 }), let context = owner.context else {
            return
        }
        _ = context.reading { try context.setOrder(wanted, of: owner, position: position) }
    }

    var ids: [Int64] {
        if let recorder = owner.registry.recorder {
            recorder.refuse()
            return []
        }
        guard let context = owner.context else {
            owner.failWithoutContext("read", property: owner.entity.toMany[position].name)
        }
        return context.reading { try context.memberIDs(of: owner, position: position) } ?? []
    }

    /// Whether an object is of the store and the table of the members, so that its ID is one of theirs.
    private func isOfSameStore(_ object: Element) -> Bool {
        object.storePosition == owner.storePosition
            && object.storedEntity.name == owner.entity.toMany[position].storedDestination
    }

    /// Adds or removes an object. If that is not possible, returns false, and the next save throws.
    @discardableResult
    private func change(_ object: Element, isMember: Bool) -> Bool {
        guard let context = owner.context else {
            owner.failWithoutContext("changed", property: owner.entity.toMany[position].name)
        }
        return context.reading {
            try context.setMember(object, of: owner, position: position, isMember: isMember)
        } != nil
    }
}

extension RelatedObjects: Sequence {
    @inlinable
    public func makeIterator() -> IndexingIterator<[Element]> {
        var members: [Element] = []
        do { members = try all() } catch { owner.readingFailed(error) }
        return members.makeIterator()
    }
}

extension [Int64] {
    /// Returns the position of the first ID in a sorted array that is not less than `id`.
    func position(of id: Int64) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < id { low = middle + 1 } else { high = middle }
        }
        return low
    }

    func contains(sorted id: Int64) -> Bool {
        let position = position(of: id)
        return position < count && self[position] == id
    }

    mutating func insert(sorted id: Int64) {
        let position = position(of: id)
        if position == count || self[position] != id { insert(id, at: position) }
    }

    mutating func remove(sorted id: Int64) {
        let position = position(of: id)
        if position < count && self[position] == id { remove(at: position) }
    }
}
