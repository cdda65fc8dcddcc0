package import CivilTime
package import ObjectStore

/// A word that groups items of any category.
package final class Tag: ManagedObject {
    package override class var entityName: String { "Tag" }

    /// The permanent identifier that other programs use for the tag.
    @Attribute(.length(ReminderModel.uidLengths), .unique) package var uid: String
    @Attribute(.length(ReminderModel.tagNameLengths), .uniqueIgnoringCase) package var name: String
    @Attribute package var createdDate: Timestamp
    @Attribute package var modifiedDate: Timestamp
    @ToMany package var toDos: RelatedObjects<ToDo>
}
