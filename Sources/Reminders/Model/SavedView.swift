package import CivilTime
package import ObjectStore

/// A list with a name, and the filter that selects its items.
package final class SavedView: ManagedObject {
    package override class var entityName: String { "SavedView" }

    @Attribute(.length(ReminderModel.categoryNameLengths), .uniqueIgnoringCase) package var name: String
    /// The arguments of `ListItems`, in JSON.
    @Attribute package var query: String
    @Attribute package var createdDate: Timestamp
    @Attribute package var modifiedDate: Timestamp
}
