package import CivilTime
package import ObjectStore

/// What to-do items are sorted by.
package final class Category: ManagedObject {
    /// What other programs know it by, for ever.
    @Attribute("uid") package var uid: String
    @Attribute("name") package var name: String
    /// No alert is given for any of its items.
    @Attribute("doNotAlert") package var doNotAlert: Bool
    @Attribute("createdDate") package var createdDate: Timestamp
    @Attribute("modifiedDate") package var modifiedDate: Timestamp
    @ToMany("toDos") package var toDos: RelatedObjects<ToDo>
}
