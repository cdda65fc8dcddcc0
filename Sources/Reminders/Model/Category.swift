package import CivilTime
package import ObjectStore

/// A list of to-do items.
package final class Category: ManagedObject {
    /// The permanent identifier that other programs use for the category.
    @Attribute("uid") package var uid: String
    @Attribute("name") package var name: String
    /// Whether alerts are turned off for all items in the category.
    @Attribute("doNotAlert") package var doNotAlert: Bool
    @Attribute("createdDate") package var createdDate: Timestamp
    @Attribute("modifiedDate") package var modifiedDate: Timestamp
    @ToMany("toDos") package var toDos: RelatedObjects<ToDo>
}
