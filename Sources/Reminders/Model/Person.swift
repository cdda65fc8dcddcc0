package import CivilTime
package import ObjectStore

/// A person who owns or shares categories.
package final class Person: ManagedObject {
    package override class var entityName: String { "Person" }

    @Attribute(.length(ReminderModel.uidLengths), .unique) package var uid: String
    /// The name of the person in a store with several persons, such as a role of a database.
    @Attribute(.length(ReminderModel.personNameLengths), .unique) package var name: String
    @Attribute package var email: String?
    @Attribute package var createdDate: Timestamp
    @Attribute package var modifiedDate: Timestamp
    @ToMany(inverse: \Category.owner) package var ownCategories: RelatedObjects<Category>
    /// The categories of others that the person shares.
    @ToMany package var categories: RelatedObjects<Category>
    @ToMany(inverse: \PersonState.person, deleteRule: .cascade) package var states:
        RelatedObjects<PersonState>
}
