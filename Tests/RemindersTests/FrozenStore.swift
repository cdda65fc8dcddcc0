import Foundation
import ObjectStore
import Reminders

/// The stores that every version of the model left behind, in `Tests/Fixtures`: written once, never edited.
///
/// A new version gets its fixture by running the tests once with `TODOD_WRITE_FIXTURES=1`; what exists is
/// left alone.
enum FrozenStore {
    static let directory = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Fixtures")

    static func path(version: String) -> String {
        directory.appending(path: "reminders-\(version).sqlite").path
    }

    static let categories = ["Home", "Büro", "家族 👨‍👩‍👧", "HOME sweet home"]

    /// Names that have given programs trouble.
    static let names = [
        "Pay the rent", "a", "ÅNGSTRÖM e\u{301}", "🗒️ 家 — ‏שלום", "it's \"quoted\"; DROP TABLE ToDo --",
        "two\nlines\tand a tab", "\u{0}zero\u{1b}[31m", String(repeating: "long ", count: 2_000), "Ä first",
        "zzz",
    ]

    /// Due dates, the extremes among them.
    static let dues: [Double?] = [nil, 0, 1_795_194_000, -62_135_596_800, 253_402_300_799.5, 1.0000001]

    /// Fills an empty store of any version.
    static func fill(_ context: ManagedObjectContext) throws {
        var categories: [ManagedObject] = []
        for name in Self.categories {
            let category = try context.insert(entity: "Category")
            try category.setValue(.string(name), of: "name")
            try stamp(category)
            categories.append(category)
        }
        for (number, name) in names.enumerated() {
            let item = try context.insert(entity: "ToDo")
            try item.setValue(.string(name), of: "name")
            if let due = dues[number % dues.count] {
                try item.setValue(.date(Timestamp(secondsSince1970: due)), of: "dueDate")
            }
            try item.setValue(.boolean(number % 3 == 0), of: "completed")
            // One category stays empty, and some items have none.
            if number % 4 != 3 { try item.setTarget(categories[number % 3], of: "category") }
            if item.entity.property(named: "doNotAlert") != nil {
                try item.setValue(.boolean(number % 5 == 0), of: "doNotAlert")
                if number % 2 == 0 {
                    try item.setValue(.date(Timestamp(secondsSince1970: 1.7e9 + 0.125)), of: "lastAlertDate")
                }
            }
            try stamp(item)
            if item.entity.property(named: "notes") != nil {
                try item.setValue(.string("\(name)\n\nnotes"), of: "notes")
                try item.setValue(.integer(Int64(number)), of: "priority")
            }
            if item.entity.property(named: "leadTime") != nil {
                try item.setValue(.integer(Int64(Int32.max)), of: "leadTime")
            }
            if item.entity.property(named: "alarms") != nil { try fillVersion4(item, number) }
        }
        if context.model.entity(named: "Change") != nil {
            let change = try context.insert(entity: "Change")
            try change.setValue(.integer(1), of: "sequence")
            try change.setValue(.date(Timestamp(secondsSince1970: 1.75e9)), of: "madeDate")
            try change.setValue(.string("AddItem"), of: "what")
            try change.setValue(.string("{\"id\":1}"), of: "after")
        }
        try context.save()
    }

    private static func fillVersion4(_ item: ManagedObject, _ number: Int) throws {
        try item.setValue(try item.value(of: "dueDate"), of: "toldForDue")
        try item.setValue(.string("FREQ=WEEKLY;BYDAY=MO,WE"), of: "recurrence")
        try item.setValue(try item.value(of: "dueDate"), of: "recurrenceStart")
        try item.setValue(.integer(Int64(number)), of: "occurrencesDone")
        try item.setValue(.boolean(number % 2 == 1), of: "repeatFromCompletion")
        try item.setValue(.string("Europe/Madrid"), of: "timeZone")
        for offset in [Int64(Int32.max), 0].prefix(number % 3) {
            guard let alarm = try item.context?.insert(entity: "Alarm") else { continue }
            try alarm.setValue(.integer(offset), of: "offset")
            try alarm.setTarget(item, of: "toDo")
        }
    }

    private static func stamp(_ object: ManagedObject) throws {
        guard object.entity.property(named: "uid") != nil else { return }
        try object.setValue(.string("\(object.objectID)@example"), of: "uid")
        try object.setValue(.date(Timestamp(secondsSince1970: 1.7e9)), of: "createdDate")
        try object.setValue(.date(Timestamp(secondsSince1970: 1.75e9)), of: "modifiedDate")
    }

    /// Writes the fixture of a version, unless there is one.
    static func write(_ model: ManagedObjectModel, in scratch: Scratch) throws {
        let fixture = path(version: model.versionIdentifiers[0])
        guard !FileManager.default.fileExists(atPath: fixture) else { return }
        let coordinator = PersistentStoreCoordinator(model: model)
        let path = scratch.path("new.sqlite")
        try coordinator.addStore(.sqlite(path: path))
        try fill(ManagedObjectContext(coordinator: coordinator))
        coordinator.close()
        try SQLiteBackup.copy(path, to: fixture)
    }
}

/// A directory for one test; it goes away with this object.
final class Scratch {
    let directory = FileManager.default.temporaryDirectory.appending(path: "reminders-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: directory)
    }

    func path(_ name: String) -> String { directory.appending(path: name).path }

    /// A copy of the fixture of a version.
    func fixture(_ version: String) throws -> String {
        let copy = path("todo.sqlite")
        try FileManager.default.copyItem(atPath: FrozenStore.path(version: version), toPath: copy)
        return copy
    }

    var files: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() }
    }
}
