/// An error of a save that failed in one store after other stores were saved.
///
/// The stores are saved in the order in which they were added. Saved stores keep their changes. The context keeps the
/// changes for the other stores as unsaved changes, which a later save writes.
public struct PartialSaveError: Error, CustomStringConvertible {
    /// The names of the stores that were saved.
    public let saved: [String]
    /// The names of the stores that were not saved. The save failed in the first of them.
    public let unsaved: [String]
    /// The error of the first store that was not saved.
    public let cause: any Error

    /// `saved in /a.sqlite, but not in /b.sqlite: no space is left`
    public var description: String {
        "saved in \(saved.joined(separator: ", ")), but not in \(unsaved.joined(separator: ", ")); "
            + "the context keeps the unsaved changes, save again: \(cause)"
    }
}
