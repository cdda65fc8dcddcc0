package import ObjectStore

extension ReminderModel {
    /// Returns version 3, which adds unique identifiers, notes, priorities, dates of changes, and the next alert time.
    package static func version3() throws -> ManagedObjectModel {
        try ManagedObjectModel(
            versionIdentifiers: ["3"],
            entities: [
                EntityDescription(
                    "ToDo",
                    attributes: [
                        .string("uid", .required, .length(uidLengths), .unique),
                        .string("name", .required, .length(nameLengths)),
                        .string("notes"),
                        .integer16("priority", .range(0...9), default: 0),
                        .date("dueDate"),
                        .boolean("completed", default: false),
                        .boolean("doNotAlert", default: false),
                        .date("createdDate", .required),
                        .date("modifiedDate", .required),
                        .date("completedDate"),
                        .date("lastAlertDate"),
                        .date("snoozedUntil"),
                        .integer32("leadTime", .range(0...)),
                        .date("nextAlertDate"),
                    ],
                    relationships: [.toOne("category", destination: "Category", inverse: "toDos")],
                    indexes: [
                        .index("dueDate", where: try FetchPredicate("completed == NO AND doNotAlert == NO")),
                        .index("completed", "dueDate"),
                    ]),
                EntityDescription(
                    "Category",
                    attributes: [
                        .string("uid", .required, .length(uidLengths), .unique),
                        .string("name", .required, .length(categoryNameLengths), .uniqueIgnoringCase),
                        .boolean("doNotAlert", default: false),
                        .date("createdDate", .required),
                        .date("modifiedDate", .required),
                    ],
                    relationships: [
                        .toMany("toDos", destination: "ToDo", inverse: "category", deleteRule: .nullify)
                    ]),
            ])
    }
}
