/// The unsaved changes of one many-to-many relationship of an object.
package struct LinkedObjectsChange {
    /// The IDs of the objects that were added to it.
    package private(set) var added: [Int64] = []
    /// The IDs of the objects that were removed from it.
    package private(set) var removed: [Int64] = []

    mutating func record(_ id: Int64, isAdded: Bool) {
        if isAdded { added.append(id) } else { removed.append(id) }
    }
}
