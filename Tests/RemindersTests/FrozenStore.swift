import Foundation
import ObjectStore
import ObjectStoreXML
import Reminders
import Testing

/// A store that a version of the model wrote, in `Tests/Fixtures`. There is one of each version and kind.
/// They are written once and never edited.
///
/// `TODOD_WRITE_FIXTURES=1 swift test --filter writeFixturesThatAreMissing` writes the fixtures of a new
/// version, and adds their digests to `SHA256SUMS`. It does not change existing files.
struct FrozenStore: Hashable, Sendable, CustomTestStringConvertible {
    let version: Int
    let kind: StoreKind

    static let kinds: [StoreKind] = [.sqlite, .xml, .binary]
    static let versions = 1...((try? ReminderModel.versions().count) ?? 1)
    /// Every version in every kind of file.
    static let all = kinds.flatMap { kind in versions.map { FrozenStore(version: $0, kind: kind) } }

    static let directory = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fixtures")
    static let digests = "SHA256SUMS"

    var name: String { "reminders-\(version).\(kind)" }
    var path: String { Self.directory.appending(path: name).path }
    var testDescription: String { name }

    // MARK: - Contents

    static let categories = ["Home", "Büro", "家族 👨‍👩‍👧", "HOME sweet home"]

    /// Names that have caused errors in programs.
    static let names = [
        "Pay the rent", "a", "ÅNGSTRÖM e\u{301}", "🗒️ 家 — ‏שלום", "it's \"quoted\"; DROP TABLE ToDo --",
        "two\nlines\tand a tab", "\u{0}zero\u{1b}[31m", String(repeating: "long ", count: 2_000), "Ä first",
        "zzz",
    ]

    /// Due dates, including extreme ones.
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

    // MARK: - Writing

    /// Writes the fixture and records its digest, unless it exists.
    func write(_ model: ManagedObjectModel) throws {
        guard !FileManager.default.fileExists(atPath: path) else { return }
        let scratch = try Scratch()
        let store = StoreConfiguration(kind, path: scratch.path("new"))
        let coordinator = PersistentStoreCoordinator(model: model)
        try coordinator.addStore(store)
        try Self.fill(ManagedObjectContext(coordinator: coordinator))
        coordinator.close()
        // The database has a -wal file. A backup of it is a single file.
        if kind == .sqlite {
            try SQLiteBackup.copy(scratch.path("new"), to: path)
        } else {
            try FileManager.default.copyItem(atPath: scratch.path("new"), toPath: path)
        }
        let digests = Self.directory.appending(path: Self.digests)
        let known = (try? String(contentsOf: digests, encoding: .utf8)) ?? ""
        let new = try Command("/usr/bin/sha256sum", [name], in: Self.directory).output
        try Data("\(known)\(new)".utf8).write(to: digests)
    }
}

/// A directory for one test. It is removed with this object.
final class Scratch {
    let directory = FileManager.default.temporaryDirectory.appending(path: "reminders-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: directory)
    }

    func path(_ name: String) -> String { directory.appending(path: name).path }

    /// Makes a copy of a fixture.
    func copy(_ fixture: FrozenStore) throws -> StoreConfiguration {
        let copy = path("todo.\(fixture.kind)")
        try FileManager.default.copyItem(atPath: fixture.path, toPath: copy)
        return StoreConfiguration(fixture.kind, path: copy)
    }

    var files: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() }
    }
}
