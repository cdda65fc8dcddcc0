import Foundation
import ObjectStore
import Testing

@testable import Reminders

/// Every store that a released version left behind opens with the present one, with everything in it.
@Suite struct FrozenStoreTests {
    private static let isWriting = ProcessInfo.processInfo.environment["TODOD_WRITE_FIXTURES"] != nil

    @Test(.enabled(if: isWriting)) func writeFixturesThatAreMissing() throws {
        for model in try ReminderModel.versions() { try FrozenStore.write(model, in: Scratch()) }
    }

    @Test func everyVersionHasItsFixture() throws {
        for model in try ReminderModel.versions() {
            let path = FrozenStore.path(version: model.versionIdentifiers[0])
            #expect(FileManager.default.fileExists(atPath: path), "\(path)")
        }
    }

    private func open(_ path: String, mutePrefix: String? = nil) throws -> (
        ManagedObjectContext, MigrationReport?
    ) {
        let coordinator = PersistentStoreCoordinator(model: try ReminderModel.current())
        let report = try coordinator.addStore(
            .sqlite(path: path), migrating: ReminderModel.migration(mutePrefix: mutePrefix))
        return (ManagedObjectContext(coordinator: coordinator), report)
    }

    @Test(arguments: ["1", "2", "3", "4"]) func opensWithEverything(version: String) throws {
        let scratch = try Scratch()
        let (context, report) = try open(scratch.fixture(version))
        #expect(report?.source == (version == "4" ? nil : [version]))
        // A lead time becomes an alarm, an object of its own; everything before that is done in place.
        #expect(report?.steps.dropLast().compactMap(\.reasonToCopy).isEmpty != false)

        let items = try context.fetch(FetchRequest<ToDo>(orderedBy: [FetchOrder("id")]))
        #expect(items.map(\.name) == FrozenStore.names.map { $0.precomposedStringWithCanonicalMapping })
        #expect(items.map(\.id) == Array(1...Int64(FrozenStore.names.count)))
        for (number, item) in items.enumerated() {
            #expect(item.dueDate?.secondsSince1970 == FrozenStore.dues[number % FrozenStore.dues.count])
            #expect(item.completed == (number % 3 == 0))
            #expect(item.doNotAlert == (version != "1" && number % 5 == 0))
            #expect((item.lastAlertDate != nil) == (version != "1" && number % 2 == 0))
            #expect(item.category?.id == (number % 4 == 3 ? nil : Int64(number % 3 + 1)))
            #expect(item.nextAlertDate == nil)
            let isPast = item.dueDate.map { $0 < .now } ?? false
            #expect((item.toldForDue == item.dueDate) == (isPast || item.dueDate == nil || version == "4"))
            let offsets =
                switch version {
                case "3": [Int32.max]
                case "4": [[], [Int32.max], [Int32.max, 0]][number % 3]
                default: [Int32]()
                }
            #expect(item.alarms.map(\.offset) == offsets)
            if version == "3" { #expect(item.alarms.map(\.toldForDue) == [item.toldForDue]) }
        }
        #expect(try context.fetch(FetchRequest<Change>()).map(\.what) == (version == "4" ? ["AddItem"] : []))
        let categories = try context.fetch(FetchRequest<Reminders.Category>(orderedBy: [FetchOrder("id")]))
        #expect(categories.map(\.name) == FrozenStore.categories)
        #expect(Set(items.map(\.uid) + categories.map(\.uid)).count == items.count + categories.count)
        if version == "1" || version == "2" {
            #expect(items.allSatisfy { UUIDValue($0.uid)?.description == $0.uid })
            #expect(items.allSatisfy { $0.createdDate == $0.modifiedDate && $0.createdDate <= .now })
        }
        let added = try context.insertToDo(at: .now)
        added.name = "new"
        try context.save()
        #expect(added.id == Int64(FrozenStore.names.count + 1))
        context.coordinator.close()
        #expect(try SQLiteBackup.problems(of: scratch.path("todo.sqlite")) == [])
    }

    @Test func prefixMutesWhateverItsCase() throws {
        let scratch = try Scratch()
        let (context, report) = try open(scratch.fixture("1"), mutePrefix: "ä")
        #expect(report?.steps.map(\.reasonToCopy) == ["ToDo has a policy", nil, "Alarm has a policy"])
        let muted = try context.fetch(FetchRequest<ToDo>(matching: FetchPredicate("doNotAlert == YES")))
        #expect(muted.map(\.name) == ["Ä first"])
        #expect(try context.count(FetchRequest<ToDo>()) == FrozenStore.names.count)
        #expect(try context.count(FetchRequest<ToDo>(matching: FetchPredicate("category != nil"))) == 8)
        context.coordinator.close()
        #expect(try SQLiteBackup.problems(of: scratch.path("todo.sqlite")) == [])
    }

    @Test func theOldStoreIsKept() throws {
        let scratch = try Scratch()
        let (context, report) = try open(scratch.fixture("2"))
        context.coordinator.close()
        let backup = try #require(report?.backupPath)
        #expect(
            try scratch.files
                == ["todo.sqlite", "todo.sqlite.lock", URL(filePath: backup).lastPathComponent].sorted())
        let coordinator = PersistentStoreCoordinator(model: try ReminderModel.version2())
        try coordinator.addStore(.sqlite(path: backup))
        #expect(
            try ManagedObjectContext(coordinator: coordinator).count(
                FetchRequest<ManagedObject>(entity: "ToDo")) == 10)
    }

    @Test func withoutMigrationBothVersionsAreNamed() throws {
        let scratch = try Scratch()
        let path = try scratch.fixture("1")
        let before = try Data(contentsOf: URL(filePath: path))
        let error = #expect(throws: StoreError.self) {
            try PersistentStoreCoordinator(model: ReminderModel.current()).addStore(.sqlite(path: path))
        }
        #expect(error?.code == .modelMismatch)
        #expect(error?.message.contains("written with model 1, this is model 4") == true)
        #expect(try Data(contentsOf: URL(filePath: path)) == before)
    }
}
