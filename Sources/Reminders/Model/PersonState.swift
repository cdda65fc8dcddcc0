package import CivilTime
package import ObjectStore

/// The alerts of one item for one person, in a store with several persons.
///
/// The properties have the meaning of those of the same name of `ToDo`.
package final class PersonState: ManagedObject {
    package override class var entityName: String { "PersonState" }

    @Attribute package var doNotAlert: Bool = false
    @Attribute package var lastAlertDate: Timestamp?
    @Attribute package var snoozedUntil: Timestamp?
    @Attribute package var alertedUpTo: Timestamp?
    @Attribute package var nextAlertDate: Timestamp?
    /// The alert time whose alert the person dismissed last.
    @Attribute package var dismissedDate: Timestamp?
    /// The records of the item's own alarms for the person, in JSON.
    @Attribute package var alarms: String?
    /// The daemon that sends the next alert, such as `host/1000`.
    @Attribute package var claimant: String?
    /// The end of the claim. After it, another daemon may send the alert.
    @Attribute package var claimedUntil: Timestamp?
    @ToOne(optional: false) package var person: Person?
    @ToOne(optional: false) package var toDo: ToDo?
}
