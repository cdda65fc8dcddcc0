package import CivilTime
package import ObjectStore

/// A list of to-do items.
package final class Category: ManagedObject {
    package override class var entityName: String { "Category" }

    /// The permanent identifier that other programs use for the category.
    @Attribute(.length(ReminderModel.uidLengths), .unique) package var uid: String
    @Attribute(.length(ReminderModel.categoryNameLengths), .uniqueIgnoringCase) package var name: String
    /// Whether alerts are turned off for all items in the category.
    @Attribute package var doNotAlert: Bool = false
    @Attribute package var createdDate: Timestamp
    @Attribute package var modifiedDate: Timestamp
    /// The color in which other programs show the list, as `#RRGGBB` or `#RRGGBBAA`.
    @Attribute(.length(1...32)) package var color: String?
    @ToOne package var owner: Person?
    /// The persons who share the category with its owner.
    @ToMany(inverse: \Person.categories) package var members: RelatedObjects<Person>
    @ToMany(inverse: \SyncList.category) package var syncLists: RelatedObjects<SyncList>
    @ToMany(inverse: \ToDo.category) package var toDos: RelatedObjects<ToDo>
}
