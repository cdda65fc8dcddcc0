import Foundation
import ObjectStore
import Testing

@testable import Reminders

/// The current version opens every store of a released version, with all of its contents.
@Suite struct FrozenStoreTests {
    private static let isWriting = ProcessInfo.processInfo.environment["TODOD_WRITE_FIXTURES"] != nil

    @Test(.enabled(if: isWriting)) func writeFixturesThatAreMissing() throws {
        let models = try ReminderModel.versions()
        for fixture in FrozenStore.all { try fixture.write(models[fixture.version - 1]) }
    }

    @Test func everyVersionHasItsFixtures() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: FrozenStore.directory.path)
        #expect(files.sorted() == (FrozenStore.all.map(\.name) + [FrozenStore.digests]).sorted())
    }

    @Test func fixturesAreNeverEdited() throws {
        let check = try Command(
            "/usr/bin/sha256sum", ["--check", "--strict", FrozenStore.digests], in: FrozenStore.directory)
        #expect(check.status == 0, "\(check.output)")
        #expect(check.output.split(separator: "\n").count == FrozenStore.all.count)
    }

    private func open(_ store: StoreConfiguration, mutePrefix: String? = nil) throws -> (
        ManagedObjectContext, MigrationReport?
    ) {
        let coordinator = PersistentStoreCoordinator(model: try ReminderModel.current())
        let report = try coordinator.addStore(
            store, migrating: ReminderModel.migration(mutePrefix: mutePrefix))
        return (ManagedObjectContext(coordinator: coordinator), report)
    }

    @Test(arguments: FrozenStore.all) func storeOpensWithAllContents(_ fixture: FrozenStore) throws {
        let scratch = try Scratch()
        let store = try scratch.copy(fixture)
        let (context, report) = try open(store)
        let isCurrent = fixture.version == FrozenStore.versions.upperBound
        #expect(report?.source == (isCurrent ? nil : ["\(fixture.version)"]))

        try requireEverything(in: context, from: fixture)
        let added = try context.insertToDo(at: Timestamp(secondsSince1970: 1_795_194_000))
        added.name = "new"
        try context.save()
        #expect(added.id == Int64(FrozenStore.names.count + 1))
        context.coordinator.close()
        try requireSound(store)
    }

    /// Requires every object of the fixture, with every value that its version has.
    ///
    /// - Parameter skipsLongText: Whether the text that fills whole pages may differ.
    private func requireEverything(
        in context: ManagedObjectContext, from fixture: FrozenStore, skipsLongText: Bool = false
    ) throws {
        let categories = try context.fetch(FetchRequest<Reminders.Category>(orderedBy: [FetchOrder("id")]))
        #expect(categories.map(\.name) == FrozenStore.categories)
        let items = try context.fetch(FetchRequest<ToDo>(orderedBy: [FetchOrder("id")]))
        #expect(items.map(\.id) == Array(1...Int64(FrozenStore.names.count)))
        for (number, item) in items.enumerated() {
            let name = FrozenStore.names[number].precomposedStringWithCanonicalMapping
            if name.utf8.count < 4_096 || !skipsLongText {
                #expect(item.name == name)
                #expect(item.notes == (fixture.version >= 3 ? name + "\n\nnotes" : nil))
            }
            #expect(item.dueDate?.secondsSince1970 == FrozenStore.dues[number % FrozenStore.dues.count])
            #expect(item.completed == (number % 3 == 0))
            #expect(item.doNotAlert == (fixture.version >= 2 && number % 5 == 0))
            #expect((item.lastAlertDate != nil) == (fixture.version >= 2 && number % 2 == 0))
            #expect(item.category?.id == (number % 4 == 3 ? nil : Int64(number % 3 + 1)))
            #expect(item.nextAlertDate == nil)
            try requireAlarms(of: item, number, from: fixture)
        }
        if fixture.version >= 5 { try requireVersion5(in: context, items) }
        let changes = try context.fetch(FetchRequest<Change>()).map(\.method)
        #expect(changes == (fixture.version >= 4 ? ["AddItem"] : []))
        #expect(Set(items.map(\.uid) + categories.map(\.uid)).count == items.count + categories.count)
        if fixture.version < 3 {
            #expect(items.allSatisfy { UUIDValue($0.uid)?.description == $0.uid })
            #expect(items.allSatisfy { $0.createdDate == $0.modifiedDate && $0.createdDate <= .now })
        }
    }

    /// Requires the alarms of an item. Alerts that were sent before the migration count as sent, and a lead
    /// time of version 3 is an alarm.
    private func requireAlarms(of item: ToDo, _ number: Int, from fixture: FrozenStore) throws {
        let alarms = try item.alarms.all()
        let isPast = item.dueDate.map { $0 < .now } ?? true
        #expect((item.alertedUpTo == item.dueDate) == (isPast || fixture.version >= 4))
        switch fixture.version {
        case ..<3: #expect(alarms.isEmpty)
        case 3:
            #expect(alarms.map(\.offset) == [.max])
            #expect(alarms.map(\.alertedDueDate) == [item.alertedUpTo])
        default:
            let leads = alarms.filter { $0.anchor == .due }
            #expect(leads.map(\.offset) == Array([.max, 0].prefix(number % 3)))
            #expect(alarms.count - leads.count == (fixture.version >= 5 && number % 2 == 0 ? 1 : 0))
        }
    }

    /// Requires everything that version 5 adds.
    private func requireVersion5(in context: ManagedObjectContext, _ items: [ToDo]) throws {
        for (number, item) in items.enumerated() {
            let isFull = number % 2 == 0
            #expect(item.dueLocal == (isFull ? "2026-11-27" : nil))
            #expect(item.startLocal == (isFull ? "2026-11-20T08:00:00" : nil))
            #expect(item.startDate?.secondsSince1970 == (isFull ? 1.76e9 : nil))
            #expect(item.estimate == (isFull ? 5_400 : nil) && item.percentComplete == (isFull ? 40 : 0))
            #expect(item.isCancelled == (number % 4 == 0))
            #expect(item.url == (isFull ? "https://example.org/\(number)" : nil))
            #expect(item.excludedDates == (isFull ? ["20261201T080000"] : []))
            #expect(item.addedDates == (isFull ? ["20261202", "20261203"] : []))
            #expect(item.remainder == (isFull ? FrozenStore.remainder : nil))
            #expect(try item.links.all().map(\.url) == (isFull ? ["file:///tmp/a.pdf"] : []))
            #expect(try item.links.all().map(\.isAttachment) == (isFull ? [true] : []))
            #expect(try item.completions.all().map(\.date.secondsSince1970) == (isFull ? [1.74e9] : []))
            #expect(try item.occurrences.all().map(\.recurrenceID) == (isFull ? ["20261205T080000"] : []))
            #expect(try item.alarms.all().compactMap(\.uid) == (isFull ? ["alarm-\(number)"] : []))
            #expect(try item.tags.all().map(\.name) == Array(FrozenStore.tags.prefix(number % 3)))
            #expect(try item.target(of: "parent") === ((1...3).contains(number) ? items[0] : nil))
            #expect(try item.blockers.all().map(\.id) == (number > 5 ? [Int64(number)] : []))
        }
        #expect(try items[0].children.all().map(\.id) == [2, 3, 4])
        let person = try #require(try context.fetch(Person.all).first)
        #expect(try person.ownCategories.all().map(\.color) == ["#FF8800"])
        #expect(try person.categories.all().map(\.id) == [2])
        #expect(try items[4].personStates.all().map(\.claimant) == ["host/1000"])
        let list = try #require(try context.fetch(SyncList.all).first)
        #expect(try list.token == "token-1" && list.target(of: "account")?.id == 1)
        #expect(try list.target(of: "category")?.id == 1)
        #expect(try list.entries.all().map(\.readText) == [FrozenStore.remainder, FrozenStore.remainder])
        #expect(try context.fetch(SavedView.all).map(\.name) == ["work"])
    }

    /// Requires that the whole file can be read again.
    private func requireSound(_ store: StoreConfiguration) throws {
        if store.kind == .sqlite, let path = store.path { #expect(try SQLiteBackup.problems(of: path) == []) }
        let (context, report) = try open(store)
        #expect(report == nil)
        #expect(try context.count(FetchRequest<ToDo>()) >= FrozenStore.names.count)
        context.coordinator.close()
    }

    @Test(arguments: FrozenStore.kinds) func prefixMutesInAnyCase(kind: StoreKind) throws {
        let scratch = try Scratch()
        let store = try scratch.copy(FrozenStore(version: 1, kind: kind))
        let (context, report) = try open(store, mutePrefix: "ä")
        if kind == .sqlite { #expect(report?.steps.first?.reasonToCopy == "ToDo has a policy") }
        let muted = try context.fetch(FetchRequest<ToDo>(matching: FetchPredicate("doNotAlert == YES")))
        #expect(muted.map(\.name) == ["Ä first"])
        #expect(try context.count(FetchRequest<ToDo>(matching: FetchPredicate("category != nil"))) == 8)
        context.coordinator.close()
        try requireSound(store)
    }

    @Test(arguments: FrozenStore.kinds) func oldStoreIsKept(kind: StoreKind) throws {
        let scratch = try Scratch()
        let store = try scratch.copy(FrozenStore(version: 2, kind: kind))
        let (context, report) = try open(store)
        context.coordinator.close()
        let backup = try #require(report?.backupPath)
        let name = "todo.\(kind)"
        #expect(
            try scratch.files == [name, "\(name).lock", URL(filePath: backup).lastPathComponent].sorted())
        let coordinator = PersistentStoreCoordinator(model: try ReminderModel.version2())
        try coordinator.addStore(StoreConfiguration(kind, path: backup))
        #expect(
            try ManagedObjectContext(coordinator: coordinator).count(
                FetchRequest<ManagedObject>(entity: "ToDo")) == FrozenStore.names.count)
    }

    @Test(arguments: FrozenStore.kinds) func refusalToMigrateNamesBothVersions(kind: StoreKind) throws {
        let scratch = try Scratch()
        let store = try scratch.copy(FrozenStore(version: 1, kind: kind))
        let path = try #require(store.path)
        let before = try Data(contentsOf: URL(filePath: path))
        let error = #expect(throws: StoreError.self) {
            try PersistentStoreCoordinator(model: ReminderModel.current()).addStore(store)
        }
        #expect(error?.code == .modelMismatch)
        let current = FrozenStore.versions.upperBound
        #expect(error?.message.contains("written with model 1, this is model \(current)") == true)
        #expect(try Data(contentsOf: URL(filePath: path)) == before)
    }

    // MARK: - Damage

    /// Overwrites each page of a database and each block of the other files in turn. SQLite keeps no
    /// checksums, so damage to a page that only contains the middle of a text cannot be detected.
    @Test(arguments: FrozenStore.all) func damageIsReportedOrHarmless(_ fixture: FrozenStore) throws {
        let sound = try Data(contentsOf: URL(filePath: fixture.path))
        let size = fixture.kind == .sqlite ? 4_096 : 512
        var refused = 0
        for start in stride(from: 0, to: sound.count, by: size) {
            let scratch = try Scratch()
            let store = try scratch.copy(fixture)
            let file = URL(filePath: try #require(store.path))
            let block = start..<min(start + size, sound.count)
            var damaged = sound
            damaged.replaceSubrange(block, with: Data(repeating: 0xA5, count: block.count))
            try damaged.write(to: file)
            do {
                let (context, _) = try open(store)
                defer { context.coordinator.close() }
                try requireEverything(in: context, from: fixture, skipsLongText: fixture.kind == .sqlite)
            } catch let error as StoreError {
                refused += 1
                #expect([.damaged, .notADatabase, .foreign].contains(error.code), "\(error)")
                #expect(try Data(contentsOf: file) == damaged, "byte \(start)")
            }
        }
        #expect(refused > 0)
        // A checksum covers every byte of a binary file, and the overwritten bytes of a document are not
        // valid UTF-8.
        if fixture.kind != .sqlite { #expect(refused == (sound.count + size - 1) / size) }
    }
}
