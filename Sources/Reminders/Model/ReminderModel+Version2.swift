package import ObjectStore

extension ReminderModel {
    /// Returns version 2, which adds the date of an item's last alert and a flag that turns its alerts off.
    package static func version2() throws -> ManagedObjectModel {
        try ManagedObjectModel(
            versionIdentifiers: ["2"],
            entities: [
                EntityDescription(
                    "ToDo",
                    attributes: [
                        .string("name", .required, .length(nameLengths)),
                        .date("dueDate"),
                        .boolean("completed", default: false),
                        .date("lastAlertDate"),
                        .boolean("doNotAlert", default: false),
                    ],
                    relationships: [.toOne("category", destination: "Category", inverse: "toDos")],
                    indexes: [
                        .index("dueDate", where: try FetchPredicate("completed == NO AND doNotAlert == NO")),
                        .index("completed", "dueDate"),
                    ]),
                EntityDescription(
                    "Category",
                    attributes: [
                        .string("name", .required, .length(categoryNameLengths), .uniqueIgnoringCase)
                    ],
                    relationships: [
                        .toMany("toDos", destination: "ToDo", inverse: "category", deleteRule: .nullify)
                    ]),
            ])
    }
}
