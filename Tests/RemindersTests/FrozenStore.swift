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
        var items: [ManagedObject] = []
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
            items.append(item)
        }
        if context.model.entity(named: "Tag") != nil { try fillVersion5(context, items, categories) }
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

    static let tags = ["errand", "später"]
    static let remainder: [UInt8] = Array("X-FOO;X-BAR=\"a,b\":1\r\n".utf8) + [0, 255]

    /// Fills everything that version 5 adds: each value in some items, and an object of each entity.
    private static func fillVersion5(
        _ context: ManagedObjectContext, _ items: [ManagedObject], _ categories: [ManagedObject]
    ) throws {
        let tags = try tags.map { name in
            let tag = try context.insert(entity: "Tag")
            try tag.setValue(.string(name), of: "name")
            try stamp(tag)
            return tag
        }
        let person = try context.insert(entity: "Person")
        try person.setValue(.string("maria"), of: "name")
        try stamp(person)
        try categories[0].setTarget(person, of: "owner")
        try categories[0].setValue(.string("#FF8800"), of: "color")
        try categories[1].objects(of: "members").insert(person)
        for (number, item) in items.enumerated() {
            try fillVersion5(item, number)
            for tag in tags.prefix(number % 3) { try item.objects(of: "tags").insert(tag) }
            // The first item has three subtasks, and each item from the sixth on waits for the one before it.
            if (1...3).contains(number) { try item.setTarget(items[0], of: "parent") }
            if number > 5 { try item.objects(of: "blockers").insert(items[number - 1]) }
        }
        try fillPerson(person, items[4])
        try fillSync(context, items, categories[0])
        let view = try context.insert(entity: "SavedView")
        try view.setValue(.string("work"), of: "name")
        try view.setValue(.string("{}"), of: "query")
        try view.setValue(.date(Timestamp(secondsSince1970: 1.7e9)), of: "createdDate")
        try view.setValue(.date(Timestamp(secondsSince1970: 1.75e9)), of: "modifiedDate")
    }

    private static func fillVersion5(_ item: ManagedObject, _ number: Int) throws {
        guard number % 2 == 0 else { return }
        try item.setValue(.string("2026-11-27"), of: "dueLocal")
        try item.setValue(.date(Timestamp(secondsSince1970: 1.76e9)), of: "startDate")
        try item.setValue(.string("2026-11-20T08:00:00"), of: "startLocal")
        try item.setValue(.integer(5_400), of: "estimate")
        try item.setValue(.integer(40), of: "percentComplete")
        try item.setValue(.boolean(number % 4 == 0), of: "isCancelled")
        try item.setValue(.string("https://example.org/\(number)"), of: "url")
        try item.setValue(.string(#"["20261201T080000"]"#), of: "excludedDates")
        try item.setValue(.string(#"["20261202","20261203"]"#), of: "addedDates")
        try item.setValue(.binary(remainder), of: "remainder")
        guard let context = item.context else { return }
        let link = try context.insert(entity: "Link")
        try link.setValue(.string("file:///tmp/a.pdf"), of: "url")
        try link.setValue(.boolean(true), of: "isAttachment")
        try link.setTarget(item, of: "toDo")
        let completion = try context.insert(entity: "Completion")
        try completion.setValue(.date(Timestamp(secondsSince1970: 1.74e9)), of: "date")
        try completion.setTarget(item, of: "toDo")
        let occurrence = try context.insert(entity: "Occurrence")
        try occurrence.setValue(.string("20261205T080000"), of: "recurrenceID")
        try occurrence.setValue(.date(Timestamp(secondsSince1970: 1.78e9)), of: "date")
        try occurrence.setTarget(item, of: "toDo")
        let alarm = try context.insert(entity: "Alarm")
        try alarm.setValue(.integer(2), of: "anchor")
        try alarm.setValue(.date(Timestamp(secondsSince1970: 1.77e9)), of: "date")
        try alarm.setValue(.string("alarm-\(number)"), of: "uid")
        try alarm.setTarget(item, of: "toDo")
    }

    private static func fillPerson(_ person: ManagedObject, _ item: ManagedObject) throws {
        guard let state = try person.context?.insert(entity: "PersonState") else { return }
        try state.setValue(.boolean(true), of: "doNotAlert")
        try state.setValue(.string("host/1000"), of: "claimant")
        try state.setTarget(person, of: "person")
        try state.setTarget(item, of: "toDo")
    }

    private static func fillSync(
        _ context: ManagedObjectContext, _ items: [ManagedObject], _ category: ManagedObject
    ) throws {
        let account = try context.insert(entity: "SyncAccount")
        try account.setValue(.string("Radicale"), of: "name")
        try account.setValue(.string("https://dav.example.org/"), of: "url")
        try stamp(account)
        let list = try context.insert(entity: "SyncList")
        try list.setValue(.string("/maria/home/"), of: "href")
        try list.setValue(.string("token-1"), of: "token")
        try list.setTarget(account, of: "account")
        try list.setTarget(category, of: "category")
        for (number, item) in items.prefix(2).enumerated() {
            let entry = try context.insert(entity: "SyncEntry")
            try entry.setValue(.string("/maria/home/\(number).ics"), of: "href")
            try entry.setValue(try item.value(of: "uid"), of: "uid")
            try entry.setValue(.string("\"etag\""), of: "etag")
            try entry.setValue(.binary(remainder), of: "readText")
            try entry.setTarget(list, of: "list")
            try entry.setTarget(item, of: "toDo")
        }
    }

    private static func stamp(_ object: ManagedObject) throws {
        guard object.entity.property(named: "uid") != nil else { return }
        try object.setValue(.string("\(object.objectID)@example"), of: "uid")
        try object.setValue(.date(Timestamp(secondsSince1970: 1.7e9)), of: "createdDate")
        guard object.entity.property(named: "modifiedDate") != nil else { return }
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
