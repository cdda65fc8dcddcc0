package import ObjectStore

extension ReminderModel {
    /// How a store of any version becomes one of the current version.
    ///
    /// - Parameter mutePrefix: on the way from version 1 to 2, the items whose names begin with it are muted,
    ///   whatever the case of the letters; nil mutes none.
    package static func migration(
        mutePrefix: String? = nil, backups: StoreMigration.Backups = .init(),
        progress: @escaping @Sendable (MigrationProgress) -> Void = { _ in }
    ) throws -> StoreMigration {
        let versions = try versions()
        return StoreMigration(
            versions: versions,
            mappings: [
                try mapping1To2(versions[0], versions[1], mutePrefix: mutePrefix),
                try mapping2To3(versions[1], versions[2]),
                try mapping3To4(versions[2], versions[3]),
            ],
            backups: backups, progress: progress)
    }

    private static func mapping1To2(
        _ version1: ManagedObjectModel, _ version2: ManagedObjectModel, mutePrefix: String?
    ) throws -> MappingModel {
        var mapping = try MappingModel.inferred(from: version1, to: version2)
        if let mutePrefix {
            let isMuted = try FetchPredicate("name BEGINSWITH[c] %@", mutePrefix)
            mapping["ToDo"]?.policy = { MutePolicy(isMuted) }
        }
        return mapping
    }

    /// When an item came to be is not known, so the moment of the migration stands for it; when it was
    /// completed stays open. No alert is due for the past, so `nextAlertDate` is nil.
    private static func mapping2To3(
        _ version2: ManagedObjectModel, _ version3: ManagedObjectModel
    ) throws -> MappingModel {
        let names: [PropertyMapping] = [
            .newUUID("uid"), .migrationDate("createdDate"), .migrationDate("modifiedDate"),
        ]
        return try MappingModel.inferred(
            from: version2, to: version3, given: ["ToDo": names, "Category": names])
    }

    /// A lead time becomes an alarm. Of what is past a person was told, or does not want to be told any more.
    private static func mapping3To4(
        _ version3: ManagedObjectModel, _ version4: ManagedObjectModel
    ) throws -> MappingModel {
        let told = try PropertyMapping.computed(
            "toldForDue", .init(format: "TERNARY(dueDate < now(), dueDate, nil)"))
        var mapping = try MappingModel.inferred(from: version3, to: version4, given: ["ToDo": [told]])
        mapping["Alarm"] = EntityMapping(
            name: "Alarm", from: "ToDo", to: "Alarm", where: try FetchPredicate("leadTime != nil"),
            properties: [.copy("offset", from: "leadTime"), told],
            policy: { AlarmPolicy(itemMapping: "ToDo") })
        return mapping
    }
}
