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
    /// The place of the password, such as `keyring`, `file:PATH`, `command:TEXT` or `credential:NAME`, or nothing for
    /// `PasswordCommand=` of the configuration.
    @Attribute package var passwordSource: String = ""
    @Attribute package var createdDate: Timestamp
    @ToMany(inverse: \SyncList.account, deleteRule: .cascade) package var lists: RelatedObjects<SyncList>
}
