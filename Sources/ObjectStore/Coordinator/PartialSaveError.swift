/// Some of several stores were saved, and then one failed.
///
/// The stores are saved in the order in which they were added. What was saved stays saved; the context has the
/// changes for the other stores still, unsaved, and a later save goes on with them.
public struct PartialSaveError: Error, CustomStringConvertible {
    /// The names of the stores that have their changes on disk.
    public let saved: [String]
    /// The names of those that have not; the first of them failed.
    public let unsaved: [String]
    public let cause: any Error

    /// `saved in /a.sqlite, but not in /b.sqlite: no space is left`
    public var description: String {
        "saved in \(saved.joined(separator: ", ")), but not in \(unsaved.joined(separator: ", ")); "
            + "the context keeps what is unsaved, save again: \(cause)"
    }
}
