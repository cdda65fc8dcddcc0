package import ObjectStore

extension ReminderModel {
    /// Returns version 5, which adds tags, dates and floating times, starts, subtasks, dependencies, alarms of all kinds,
    /// links, completions, imported text, persons, synchronization and views.
    ///
    /// It is the current version, so the classes describe it. A later version must describe this one at length, as
    /// `version4` does.
    package static func version5() throws -> ManagedObjectModel {
        try ManagedObjectModel(
            versionIdentifiers: ["5"],
            entities: [
                EntityDescription(
                    ToDo.self,
                    indexedBy: .index(\.nextAlertDate, where: { !$0.completed && !$0.doNotAlert }),
                    // Not `completed` first: every minute check would use that index.
                    .index(\.dueDate, where: { !$0.completed }),
                    // These get other moments when the time zone changes.
                    .index(\.dueLocal, where: { !$0.completed && $0.dueLocal != nil }),
                    .index(\.startLocal, where: { !$0.completed && $0.startLocal != nil }),
                    // Lists of items that start later or today.
                    .index(\.startDate, where: { !$0.completed && $0.startDate != nil }),
                    // The history.
                    .index(\.completedDate, where: { $0.completed && $0.completedDate != nil })),
                EntityDescription(Alarm.self),
                EntityDescription(Category.self),
                EntityDescription(Change.self, indexedBy: .index(\.sequence)),
                EntityDescription(Completion.self, indexedBy: .index(\.date)),
                EntityDescription(Link.self),
                EntityDescription(Occurrence.self),
                EntityDescription(Person.self),
                EntityDescription(PersonState.self, uniqueness: [[\.person, \.toDo]]),
                EntityDescription(SavedView.self),
                EntityDescription(SyncAccount.self),
                EntityDescription(
                    SyncEntry.self,
                    indexedBy: .index(\.list, where: { $0.isUnsent == true }), .index(\.uid),
                    .index(\.list, where: { $0.hasMissingRelations == true }),
                    .index(\.list, where: { $0.isMissing == true }),
                    // The numbers and the messages in the state of a list.
                    .index(\.list, where: { $0.etag != nil }),
                    .index(\.list, where: { $0.conflictDate != nil }),
                    .index(\.list, where: { $0.remark != nil }),
                    uniqueness: [[\.list, \.href]]),
                EntityDescription(SyncList.self, uniqueness: [[\.account, \.href]]),
                EntityDescription(Tag.self, indexedBy: .index(\.name)),
            ])
    }
}
