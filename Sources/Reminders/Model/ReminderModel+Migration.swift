package import ObjectStore

extension ReminderModel {
    /// Returns the migration of a store of any version to the current version.
    ///
    /// - Parameter mutePrefix: a prefix of names, compared without regard to case, or `nil`. The migration from version
    ///   1 to 2 mutes the items with such a name.
    package static func migration(
        mutePrefix: String? = nil, backups: StoreMigration.Backups = .init(),
        progress: @escaping @Sendable (MigrationProgress) -> Void = { _ in }
    ) throws -> StoreMigration {
        let versions = try versions()
        return StoreMigration(
            versions: versions,
            mappings: [
                try mapping1To2(from: versions[0], to: versions[1], mutePrefix: mutePrefix),
                try mapping2To3(from: versions[1], to: versions[2]),
                try mapping3To4(from: versions[2], to: versions[3]),
            ],
            backups: backups, progress: progress)
    }

    private static func mapping1To2(
        from version1: ManagedObjectModel, to version2: ManagedObjectModel, mutePrefix: String?
    ) throws -> MappingModel {
        var mapping = try MappingModel.inferred(from: version1, to: version2)
        if let mutePrefix {
            let isMuted = try FetchPredicate("name BEGINSWITH[c] %@", mutePrefix)
            mapping["ToDo"]?.policy = { MutePolicy(isMuted) }
        }
        return mapping
    }

    /// Returns the mapping from version 2 to 3.
    ///
    /// The creation date of an item is unknown, so it becomes the time of the migration. The completion date stays
    /// `nil`. No alert is to be sent for the past, so `nextAlertDate` is `nil`.
    private static func mapping2To3(
        from version2: ManagedObjectModel, to version3: ManagedObjectModel
    ) throws -> MappingModel {
        let names: [PropertyMapping] = [
            .newUUID("uid"), .migrationDate("createdDate"), .migrationDate("modifiedDate"),
        ]
        return try MappingModel.inferred(
            from: version2, to: version3, given: ["ToDo": names, "Category": names])
    }

    /// Returns the mapping from version 3 to 4, which turns lead times into alarms.
    ///
    /// Alerts of items that are due in the past are recorded as sent or skipped.
    private static func mapping3To4(
        from version3: ManagedObjectModel, to version4: ManagedObjectModel
    ) throws -> MappingModel {
        let sent = try PropertyMapping.computed(
            "toldForDue", .init(format: "TERNARY(dueDate < now(), dueDate, nil)"))
        var mapping = try MappingModel.inferred(from: version3, to: version4, given: ["ToDo": [sent]])
        mapping["Alarm"] = EntityMapping(
            name: "Alarm", from: "ToDo", to: "Alarm", where: try FetchPredicate("leadTime != nil"),
            properties: [.copy("offset", from: "leadTime"), sent],
            policy: { AlarmPolicy(itemMapping: "ToDo") })
        return mapping
    }
}
