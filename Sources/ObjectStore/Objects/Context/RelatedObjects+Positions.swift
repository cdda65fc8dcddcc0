// The objects by their positions: the order of the relationship or, if it has none, that of the IDs.
extension RelatedObjects {
    /// The first object, or `nil` if no object is related.
    public var first: Element? { Array(self).first }

    /// The last object, or `nil` if no object is related.
    public var last: Element? { Array(self).last }

    /// The object at an index of an ordered relationship.
    ///
    /// Traps if the relationship is not ordered or has no such index. Each access reads all objects of the relationship that
    /// are not in memory.
    public subscript(index: Int) -> Element {
        let elements = orderedElements()
        requireIndex(index, in: elements)
        return elements[index]
    }

    /// Relates objects, at both ends. Has no effect on those that are related already.
    ///
    /// In an ordered relationship, the new objects come last, in the order of the sequence.
    public func insert(contentsOf objects: some Sequence<Element>) {
        for object in Array(objects) { insert(object) }
    }

    /// Ends the relation to the object at an index of an ordered relationship, at both ends, and returns the object.
    ///
    /// Traps if the relationship is not ordered or has no such index.
    @discardableResult
    public func remove(at index: Int) -> Element {
        let element = self[index]
        remove(element)
        return element
    }

    /// Ends the relation to all objects, at both ends.
    public func removeAll() {
        for element in self { remove(element) }
    }

    /// Moves an object of an ordered relationship. Afterwards it has the index `newIndex`.
    ///
    /// Traps if the relationship is not ordered or does not have the indexes.
    public func move(from index: Int, to newIndex: Int) {
        let elements = orderedElements()
        requireIndex(index, in: elements)
        requireIndex(newIndex, in: elements)
        insert(elements[index], at: newIndex)
    }

    private func orderedElements() -> [Element] {
        let relationship = owner.entity.toMany[position]
        guard relationship.orderColumn != nil else {
            fatalError("\(owner.entity.name).\(relationship.name) has no order; declare it with orderedBy")
        }
        do { return try all() } catch {
            fatalError("\(owner.entity.name).\(relationship.name) cannot be read: \(error)")
        }
    }

    private func requireIndex(_ index: Int, in elements: [Element]) {
        guard elements.indices.contains(index) else {
            let name = "\(owner.entity.name).\(owner.entity.toMany[position].name)"
            fatalError("\(name) has no index \(index); it has \(elements.count) objects")
        }
    }
}
