package import CivilTime
package import ObjectStore

/// An account on a server with which lists are synchronized.
package final class SyncAccount: ManagedObject {
    package override class var entityName: String { "SyncAccount" }

    @Attribute(.length(ReminderModel.uidLengths), .unique) package var uid: String
    @Attribute(.length(ReminderModel.categoryNameLengths), .uniqueIgnoringCase) package var name: String
    @Attribute(.length(ReminderModel.urlLengths)) package var url: String
    @Attribute package var user: String?
    /// The address of the person on the server. Another one means that the account has changed.
    @Attribute package var principal: String?
    /// The settings and the state that only the synchronization reads, in JSON.
    @Attribute package var details: String?
    @Attribute package var createdDate: Timestamp
    @ToMany(inverse: \SyncList.account, deleteRule: .cascade) package var lists: RelatedObjects<SyncList>
}
