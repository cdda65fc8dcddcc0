package import CivilTime
package import ObjectStore

/// A list of an account that is synchronized with a category.
package final class SyncList: ManagedObject {
    package override class var entityName: String { "SyncList" }

    @Attribute(.length(ReminderModel.urlLengths)) package var href: String
    @Attribute package var name: String?
    @Attribute package var isReadOnly: Bool = false
    /// The identifier of the category. An undo of its deletion restores a category with it.
    @Attribute package var categoryUID: String?
    /// The token of the last synchronization whose changes are all in the store.
    @Attribute package var token: String?
    @Attribute package var ctag: String?
    /// The position in the history of the store up to which changes were found.
    @Attribute package var sentUpTo: String?
    @Attribute package var lastSyncDate: Timestamp?
    /// The reason why deletions are held back, or `nil` if they are not.
    @Attribute package var heldDeletions: String?
    /// The reason why the last synchronization failed, or `nil` if it did not.
    @Attribute package var problem: String?
    @ToOne(optional: false) package var account: SyncAccount?
    @ToOne package var category: Category?
    @ToMany(inverse: \SyncEntry.list, deleteRule: .cascade) package var entries: RelatedObjects<SyncEntry>
}
