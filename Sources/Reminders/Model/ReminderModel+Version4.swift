package import ObjectStore

extension ReminderModel {
    /// Returns version 4, which adds repeating items, several alerts for one item with a record of each, and changes
    /// that can be undone.
    ///
    /// It is the current version, so the classes describe it. A later version must describe this one at length, as
    /// `version3` does.
    package static func version4() throws -> ManagedObjectModel {
        try ManagedObjectModel(
            versionIdentifiers: ["4"],
            entities: [
                EntityDescription(
                    ToDo.self,
                    indexedBy: .index(\.nextAlertDate, where: { !$0.completed && !$0.doNotAlert }),
                    // Not `completed` first: every minute check would use that index.
                    .index(\.dueDate, where: { !$0.completed })),
                EntityDescription(Alarm.self),
                EntityDescription(Category.self),
                EntityDescription(Change.self, indexedBy: .index(\.sequence)),
            ])
    }
}
