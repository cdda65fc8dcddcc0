package import ObjectStore

/// What to-do items are sorted by.
package final class Category: ManagedObject {
    @Attribute("name") package var name: String
    @ToMany("toDos") package var toDos: RelatedObjects<ToDo>
}
