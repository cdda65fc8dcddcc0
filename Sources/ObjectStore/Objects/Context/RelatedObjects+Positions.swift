// The objects by their positions: the order of the relationship or, if it has none, that of the IDs.
extension RelatedObjects {
    /// The first object, or `nil` if no object is related.
    public var first: Element? { Array(self).first }

    /// The last object, or `nil` if no object is related.
    public var last: Element? { Array(self).last }

    /// The object at an index of an ordered relationship.
    ///
    /// Traps if the relationship is not ordered or has no such index. Each access reads all objects of the relationship that
    /// are not in memory. If they cannot be read, the result is a deleted object with the defaults of its entity, and the
    /// next save throws. Reading a required property without a default from it traps. ``all()`` throws at once.
    public subscript(index: Int) -> Element {
        element(at: index) ?? missingElement()
    }

    /// Relates objects, at both ends. Has no effect on those that are related already.
    ///
    /// In an ordered relationship, the new objects come last, in the order of the sequence.
    public func insert(contentsOf objects: some Sequence<Element>) {
        for object in Array(objects) { insert(object) }
    }

    /// Ends the relation to the object at an index of an ordered relationship, at both ends, and returns the object.
    ///
    /// Traps if the relationship is not ordered or has no such index. If its objects cannot be read, nothing changes, the
    /// result is a deleted object, and the next save throws.
    @discardableResult
    public func remove(at index: Int) -> Element {
        guard let element = element(at: index) else { return missingElement() }
        remove(element)
        return element
    }

    /// Ends the relation to all objects, at both ends.
    public func removeAll() {
        for element in self { remove(element) }
    }

    /// Moves an object of an ordered relationship. Afterwards it has the index `newIndex`.
    ///
    /// Traps if the relationship is not ordered or does not have the indexes. If its objects cannot be read, nothing changes,
    /// and the next save throws.
    public func move(from index: Int, to newIndex: Int) {
        guard let elements = orderedElements() else { return }
        requireIndex(index, in: elements)
        requireIndex(newIndex, in: elements)
        insert(elements[index], at: newIndex)
    }

    /// Returns the object at an index, or `nil` if the objects cannot be read.
    private func element(at index: Int) -> Element? {
        guard let elements = orderedElements() else { return nil }
        requireIndex(index, in: elements)
        return elements[index]
    }

    /// Returns all objects, or `nil` if they cannot be read. The next save throws then.
    private func orderedElements() -> [Element]? {
        let relationship = owner.entity.toMany[position]
        guard relationship.orderColumn != nil else {
            fatalError("\(owner.entity.name).\(relationship.name) has no order; declare it with orderedBy")
        }
        do { return try all() } catch {
            owner.readingFailed(error)
            return nil
        }
    }

    /// Returns an object that is in no store, in place of one that cannot be read.
    private func missingElement() -> Element {
        guard let context = owner.context else {
            owner.failWithoutContext("read", property: owner.entity.toMany[position].name)
        }
        let object = context.missingMember(of: owner, position: position)
        // The model has checked that the destination has this class.
        return unsafeDowncast(object, to: Element.self)
    }

    private func requireIndex(_ index: Int, in elements: [Element]) {
        guard elements.indices.contains(index) else {
            let name = "\(owner.entity.name).\(owner.entity.toMany[position].name)"
            fatalError("\(name) has no index \(index); it has \(elements.count) objects")
        }
    }
}

extension ManagedObjectContext {
    /// Returns a deleted object with the defaults of its entity, in place of a member that cannot be read.
    fileprivate func missingMember(of owner: ManagedObject, position: Int) -> ManagedObject {
        let relationship = owner.entity.toMany[position]
        let registry = registry(ofEntityAt: relationship.destinationIndex, besides: owner)
            .member(model.declaredDestination(of: relationship))
        return registry.objectClass.init(
            ObjectPlacement(
                registry: registry, id: 0, values: .make(registry.entity.defaults), state: .detached))
    }
}
