package import ObjectStore

extension ReminderModel {
    /// Returns version 4, which adds repeating items, several alerts for one item with a record of each, and changes
    /// that can be undone.
    package static func version4() throws -> ManagedObjectModel {
        try ManagedObjectModel(
            versionIdentifiers: ["4"],
            entities: [
                EntityDescription(
                    "ToDo",
                    attributes: [
                        .string("uid", .required, .length(uidLengths), .unique),
                        .string("name", .required, .length(nameLengths)),
                        .string("notes"),
                        .integer16("priority", .required, .range(0...9), default: 0),
                        .date("dueDate"),
                        .boolean("completed", .required, default: false),
                        .boolean("doNotAlert", .required, default: false),
                        .date("createdDate", .required),
                        .date("modifiedDate", .required),
                        .date("completedDate"),
                        .date("lastAlertDate"),
                        .date("snoozedUntil"),
                        .date("toldForDue"),
                        .date("nextAlertDate"),
                        .string("recurrence"),
                        .date("recurrenceStart"),
                        .integer32("occurrencesDone", .required, .range(0...), default: 0),
                        .boolean("repeatFromCompletion", .required, default: false),
                        .string("timeZone"),
                    ],
                    relationships: [
                        .toOne("category", destination: "Category", inverse: "toDos"),
                        .toMany("alarms", destination: "Alarm", inverse: "toDo", deleteRule: .cascade),
                    ],
                    indexes: [
                        .index(
                            "nextAlertDate", where: try FetchPredicate("completed == NO AND doNotAlert == NO")
                        ),
                        .index("dueDate", where: try FetchPredicate("completed == NO")),
                    ]),
                EntityDescription(
                    "Alarm",
                    attributes: [
                        .integer32("offset", .required, .range(0...)),
                        .date("toldForDue"),
                    ],
                    relationships: [
                        .toOne("toDo", destination: "ToDo", inverse: "alarms", optional: false)
                    ]),
                EntityDescription(
                    "Category",
                    attributes: [
                        .string("uid", .required, .length(uidLengths), .unique),
                        .string("name", .required, .length(categoryNameLengths), .uniqueIgnoringCase),
                        .boolean("doNotAlert", .required, default: false),
                        .date("createdDate", .required),
                        .date("modifiedDate", .required),
                    ],
                    relationships: [
                        .toMany("toDos", destination: "ToDo", inverse: "category", deleteRule: .nullify)
                    ]),
                EntityDescription(
                    "Change",
                    attributes: [
                        .integer64("sequence", .required, .range(Change.sequences)),
                        .date("madeDate", .required),
                        .string("what", .required),
                        .string("before"),
                        .string("after"),
                        .boolean("isUndone", .required, default: false),
                    ],
                    indexes: [.index("sequence")]),
            ])
    }
}
