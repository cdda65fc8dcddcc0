/// Why a change cannot be undone or done again.
package enum UndoError: Error {
    /// There is none, or none that was undone.
    case nothingToUndo, nothingToRedo
    /// The last change was of more items than are taken down; a copy of the store from before may be there.
    case tooLarge(what: String, backup: String?)
    /// A program that knows other properties wrote it down.
    case unreadable(method: String)
    /// Something else has changed an object since.
    case conflict(UndoConflict)
}

/// An object that is not as the change left it.
package struct UndoConflict: Hashable, Sendable {
    /// The change in words: `completed 'Pay the rent'`.
    package let what: String
    /// The id, when it is an item.
    package let item: Int64?
    package let name: String
    /// The properties of the model that differ; none when the object is gone, or there again.
    package let properties: [String]
    /// `its due time has changed since`
    package let reason: String
}
