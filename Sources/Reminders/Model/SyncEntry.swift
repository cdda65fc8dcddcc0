package import CivilTime
package import ObjectStore

/// A resource of a synchronized list, and the text in which both sides agreed last.
package final class SyncEntry: ManagedObject {
    package override class var entityName: String { "SyncEntry" }

    @Attribute(.length(ReminderModel.urlLengths)) package var href: String
    /// The identifier of the task. It remains after the item was deleted.
    @Attribute(.length(ReminderModel.uidLengths)) package var uid: String
    @Attribute package var etag: String?
    /// The text that was read last. A server may have changed the text that was sent.
    @Attribute package var readText: [UInt8]?
    /// The state of the item when both sides agreed last, as `SyncState` writes it.
    @Attribute package var state: String?
    /// The last agreement in the list from which the item was moved, until this list has one.
    @Attribute package var formerText: [UInt8]?
    @Attribute package var formerState: String?
    /// The states of the item in uploads whose results are not known.
    @Attribute package var sentStates: [String] = []
    /// Whether the item may have changes that the server does not have.
    @Attribute package var isUnsent: Bool = false
    /// Whether the server does not list the resource any more, although it has not reported a deletion.
    @Attribute package var isMissing: Bool = false
    /// Whether todod may have deleted the resource on the server, or found it deleted and sends the item again. If the item is here,
    /// it then stays, although the server does not have the resource.
    @Attribute package var mayBeGone: Bool = false
    /// Whether the item has a parent or blockers that do not exist yet.
    @Attribute package var hasMissingRelations: Bool = false
    /// The identifiers of these.
    @Attribute package var missingParent: String?
    @Attribute package var missingBlockers: [String] = []
    /// The lines that lost in the last conflict, in iCalendar.
    @Attribute package var lostText: [UInt8]?
    @Attribute package var conflictDate: Timestamp?
    /// The reason why the task is not synchronized, or not as a whole, or `nil` if it is.
    @Attribute package var remark: String?
    /// The time at which the server refused the item.
    @Attribute package var refusedDate: Timestamp?
    @ToOne(optional: false) package var list: SyncList?
    /// The item, or `nil` if it was deleted here and not yet on the server.
    @ToOne package var toDo: ToDo?
}
