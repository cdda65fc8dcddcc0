/// The reason why a change cannot be undone or redone.
package enum UndoError: Error {
    /// There is no change, or no undone change.
    case nothingToUndo, nothingToRedo
    /// The last change exceeds the undo limit.
    ///
    /// `backup` is the path of a safety copy made before it, if there is one.
    case tooLarge(summary: String, backup: String?)
    /// The change was recorded by a version of todod with other properties.
    case unreadable(method: String)
    /// An object has been changed since.
    case conflict(UndoConflict)
}

/// An object that differs from the state after the change.
package struct UndoConflict: Hashable, Sendable {
    /// A description of the change: `completed 'Pay the rent'`.
    package let summary: String
    /// The object ID, if the object is an item.
    package let item: Int64?
    /// Whether the object is a tag.
    package let isTag: Bool
    package let name: String
    /// The properties of the model that differ, or none if the object was deleted or exists again.
    package let properties: [String]
    /// The difference: `its due time has changed since`.
    package let reason: String
}
