package import ObjectStore

extension ReminderModel {
    /// Returns version 1: to-do items in categories.
    package static func version1() throws -> ManagedObjectModel {
        try ManagedObjectModel(
            versionIdentifiers: ["1"],
            entities: [
                EntityDescription(
                    "ToDo",
                    attributes: [
                        .string("name", .required, .length(nameLengths)),
                        .date("dueDate"),
                        .boolean("completed", default: false),
                    ],
                    relationships: [.toOne("category", destination: "Category", inverse: "toDos")],
                    indexes: [.index("completed", "dueDate")]),
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
