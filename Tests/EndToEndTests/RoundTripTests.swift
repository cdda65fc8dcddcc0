import CivilTime
import Foundation
import ObjectStore
import Reminders
import TestSupport
import Testing

/// Exports that are imported again without a loss. The test reads the attributes from the model, so it covers new ones
/// automatically.
@Suite struct RoundTripTests {
    /// The entities in an export. The recorded changes for undo are not part of it.
    private static let entities = ["Category", "Tag", "ToDo", "Alarm"]
    /// The properties that no method sets yet.
    fileprivate static let unused: Set = [
        "acknowledgedDate", "addedDates", "anchor", "color", "dueLocal", "estimate", "excludedDates",
        "isCancelled", "owner", "parent", "percentComplete", "place", "remainder", "startDate", "startLocal",
        "url",
    ]
    /// Every save derives this attribute from the others.
    private static let derived = "nextAlertDate"

    @Test(arguments: ["json", "coredata"])
    func everyAttributeIsRestored(format: String) throws {
        let sandbox = try Sandbox()
        try sandbox.fillStore()
        // Nags are alert times that do not come from lead times.
        try sandbox.write("[Alert]\nNag=1h\nCatchUp=0\n", to: "config/todod/todod.conf")
        let daemon = try sandbox.startDaemon()
        let file = "\(sandbox.directory)/items.\(format == "json" ? "json" : "xml")"
        let text = try sandbox.todoctl("export", "--format", format).output
        try sandbox.write(text, to: (file as NSString).lastPathComponent)
        #expect(daemon.stop() == 0)

        let other = try Sandbox()
        try other.write("[Alert]\nNag=1h\nCatchUp=0\n", to: "config/todod/todod.conf")
        let restored = try other.startDaemon()
        let first = try other.todoctl("import", file)
        #expect(
            first.output == "\(Sandbox.itemCount) added, 2 categories added, 3 tags added\n",
            "\(first.errors)")
        #expect(try other.todoctl("import", file).output == "\(Sandbox.itemCount) unchanged\n")
        // The import can be undone and redone as one change.
        #expect(try other.todoctl("undo").status == 0)
        #expect(try other.call("Status").integer("items") == 0)
        #expect(try other.todoctl("redo").status == 0)
        #expect(try other.todoctl("undo").status == 0)
        #expect(try other.todoctl("import", file).status == 0)
        #expect(restored.stop() == 0)
        for entity in Self.entities {
            let (wanted, found) = (try sandbox.objects(entity), try other.objects(entity))
            #expect(found.count == wanted.count)
            for (wanted, found) in zip(wanted, found) {
                let lost = wanted.keys.filter { wanted[$0] != found[$0] }
                #expect(lost.isEmpty, "\(entity): \(lost.map { ($0, wanted[$0], found[$0]) })")
            }
        }
    }

    /// Random items, with or without sent alerts, are exported as iCalendar and imported unchanged, except for the
    /// record of sent alerts.
    @Test(arguments: 1...4)
    func itemsAreRestoredFromICalendar(seed: UInt64) throws {
        var random = SplitMix(state: seed)
        let items = (1...60).map { RandomItem(number: $0, &random).fields }
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        let store: [String: Any] = ["todod": 1, "categories": [Any](), "items": items]
        let text = String(decoding: try JSONSerialization.data(withJSONObject: store), as: UTF8.self)
        try sandbox.write(text, to: "items.json")
        let first = try sandbox.todoctl("import", "\(sandbox.directory)/items.json")
        #expect(first.output.hasPrefix("60 added"), "\(first)")
        let before = try exportedItems(sandbox)

        try sandbox.write(try sandbox.todoctl("export", "--format", "icalendar").output, to: "items.ics")
        let file = "\(sandbox.directory)/items.ics"
        let again = try sandbox.todoctl("import", file)
        #expect(again.output == "60 unchanged\n" && again.errors == "", "\(again)")
        #expect(try exportedItems(sandbox) == before)

        let other = try Sandbox()
        _ = try other.startDaemon()
        let copied = try other.todoctl("import", file)
        #expect(copied.output.hasPrefix("60 added") && copied.errors == "", "\(copied)")
        #expect(try other.todoctl("import", file).output == "60 unchanged\n")
        let after = try exportedItems(other)
        #expect(Set(after.keys) == Set(before.keys))
        for (uid, fields) in before {
            let different = Set(fields.keys).union(after[uid]?.keys ?? [:].keys)
                .filter { fields[$0] != after[uid]?[$0] }
            #expect(
                different.isEmpty,
                "\(uid): \(different.map { ($0, fields[$0] ?? "", after[uid]?[$0] ?? "") })")
        }
    }

    /// Returns the fields of all items in a JSON export, by `uid`.
    private func exportedItems(_ sandbox: Sandbox) throws -> [String: [String: String]] {
        let data = Data(try sandbox.todoctl("export").output.utf8)
        let store = try JSONSerialization.jsonObject(with: data) as? [String: Any]
        let items = try #require(store?["items"] as? [[String: Any]])
        return Dictionary(
            uniqueKeysWithValues: items.map { item in
                var fields = item.mapValues { "\($0)" }
                // Only JSON contains the record of sent alerts.
                for field in ["told", "lastAlert"] { fields[field] = nil }
                // Without a start, a rule counts from the due time.
                if fields["recurrence"] != nil, fields["recurrenceStart"] == nil {
                    fields["recurrenceStart"] = fields["due"]
                }
                return (fields["uid"] ?? "", fields)
            })
    }

    fileprivate static func isUnused(_ property: String, of entity: String) -> Bool {
        unused.contains(property) || entity == "Alarm" && ["date", "uid"].contains(property)
    }

    @Test func storeHasDifferentValuesInEveryAttribute() throws {
        let sandbox = try Sandbox()
        try sandbox.fillStore()
        for name in Self.entities {
            let entity = try #require(try ReminderModel.current().entity(named: name))
            let objects = try sandbox.objects(name)
            for column in entity.columns
            where column.name != Self.derived && !Self.isUnused(column.name, of: name) {
                let values = Set(objects.map { $0[column.name] ?? "" })
                #expect(values.count > 1, "\(name).\(column.name) is alike in all")
            }
        }
    }
}

extension Sandbox {
    static let itemCount = 4

    private func withStore<Result>(_ body: (ManagedObjectContext) throws -> Result) throws -> Result {
        try FileManager.default.createDirectory(
            atPath: "\(directory)/data/todod", withIntermediateDirectories: true)
        let coordinator = PersistentStoreCoordinator(model: try ReminderModel.current())
        defer { coordinator.close() }
        try coordinator.addStore(.sqlite(path: store))
        return try body(ManagedObjectContext(coordinator: coordinator))
    }

    /// Fills the store with objects that have another value than the default one in every attribute.
    fileprivate func fillStore() throws {
        try withStore { context in
            // One category has no items.
            let categories = try (1...2).map { number in
                let category = try context.insert(entity: "Category")
                try Unusual.fill(category, number)
                return category
            }
            // One tag has no items.
            let tags = try ["errand", "später", "without"].enumerated().map { number, name in
                let tag = try context.insert(entity: "Tag")
                try Unusual.fill(tag, number + 2)
                try tag.setValue(.string(name), of: "name")
                return tag
            }
            for number in 1...Self.itemCount {
                let item = try context.insert(entity: "ToDo")
                try Unusual.fill(item, number)
                try item.setTarget(number.isMultiple(of: 2) ? categories[0] : nil, of: "category")
                for tag in tags.prefix(number % 3) { try item.objects(of: "tags").insert(tag) }
                for lead in 0..<number - 1 {
                    let alarm = try context.insert(entity: "Alarm")
                    try Unusual.fill(alarm, number + lead)
                    try alarm.setTarget(item, of: "toDo")
                }
            }
            try context.save()
        }
    }

    /// Returns the values of all objects of an entity without their IDs, in an order that does not depend on the IDs.
    fileprivate func objects(_ entity: String) throws -> [[String: String]] {
        try withStore { context in
            try context.fetch(FetchRequest<ManagedObject>(entity: entity)).map { object in
                var values: [String: String] = [:]
                for column in object.entity.columns {
                    if case .toOne = column.content {
                        let uid = try object.target(of: column.name).map { try $0.value(of: "uid") }
                        values[column.name] = "\(uid ?? .null)"
                    } else {
                        values[column.name] = "\(try object.value(of: column.name))"
                    }
                }
                if entity == "ToDo" {
                    let names = try object.objects(of: "tags").all().map { "\(try $0.value(of: "name"))" }
                    values["tags"] = "\(names.sorted())"
                }
                return values
            }.sorted { "\($0.sorted { $0.key < $1.key })" < "\($1.sorted { $0.key < $1.key })" }
        }
    }
}

/// An item with random fields, in the form of a JSON export.
private struct RandomItem {
    private(set) var fields: [String: Any] = [:]

    init(number: Int, _ random: inout SplitMix) {
        fields["uid"] = "\(number)" + Self.text(&random)
        fields["name"] = "n" + Self.text(&random)
        fields["completed"] = Bool.random(using: &random)
        fields["muted"] = Bool.random(using: &random)
        fields["priority"] = Int.random(in: 0...9, using: &random)
        fields["createdAt"] = Self.moment(&random)
        fields["modifiedAt"] = Self.moment(&random)
        fields["leads"] = Self.leads(&random)
        let others: [String: Any] = [
            "notes": Self.text(&random), "category": "c" + Self.text(&random), "due": Self.moment(&random),
            "recurrenceStart": Self.moment(&random), "completedAt": Self.moment(&random),
            "snoozedUntil": Self.moment(&random), "lastAlert": Self.moment(&random),
            "timeZone": ["Europe/Berlin", "Australia/Lord_Howe", "UTC"].randomElement(using: &random) ?? "",
            "recurrence": Self.rules.randomElement(using: &random) ?? "",
            "tags": ["t1", "später; \"x\""], "afterDone": true,
            "occurrencesDone": Int.random(in: 1...40, using: &random),
        ]
        // The order is fixed, so that a seed always creates the same items.
        for (name, value) in others.sorted(by: { $0.key < $1.key })
        where Int.random(in: 0..<3, using: &random) > 0 {
            fields[name] = value
        }
        // The snooze of a done item is not exported.
        if fields["completed"] as? Bool == true { fields["snoozedUntil"] = nil }
    }

    private static let rules = [
        "FREQ=DAILY", "FREQ=WEEKLY;BYDAY=MO,WE;COUNT=90", "RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=BACKWARD",
        "FREQ=YEARLY;UNTIL=20991231T000000Z",
    ]

    private static func text(_ random: inout SplitMix) -> String {
        let pieces = [
            "x", " ", ";", ",", "\\", "\n", "\t", "\r\n", "\u{7}", "\u{1B}[1m", "\0", "%", "\"", "e\u{301}",
            "日本",
        ]
        return (0..<Int.random(in: 0...8, using: &random)).compactMap { _ in
            pieces.randomElement(using: &random)
        }.joined()
    }

    /// Returns a time between 2027 and 2060, in whole seconds.
    private static func moment(_ random: inout SplitMix) -> String {
        let second = Int.random(in: 1_800_000_000...2_850_000_000, using: &random)
        return RFC3339.text(Timestamp(secondsSince1970: Double(second)), in: .utc) ?? ""
    }

    private static func leads(_ random: inout SplitMix) -> [Int] {
        let leads = (0..<Int.random(in: 0...4, using: &random)).map { _ in
            Int.random(in: 0...100_000, using: &random)
        }
        return Set(leads).sorted(by: >)
    }
}

/// Rarely used values for the attributes of the model.
private enum Unusual {
    static func fill(_ object: ManagedObject, _ number: Int) throws {
        for column in object.entity.columns {
            guard case .attribute = column.content, column.name != "nextAlertDate",
                !RoundTripTests.isUnused(column.name, of: object.entity.name)
            else { continue }
            // The first object has no optional values.
            if number == 1, column.isOptional { continue }
            try object.setValue(value(of: column, number), of: column.name)
        }
    }

    private static func value(of column: Entity.Column, _ number: Int) -> AttributeValue {
        switch (column.name, column.type) {
        case ("recurrence", _): .string("FREQ=MONTHLY;COUNT=\(number + 40);BYDAY=-1FR")
        case ("timeZone", _): .string(["Asia/Kathmandu", "Australia/Lord_Howe"][number % 2])
        case (_, .string):
            .string(" \u{1F9FE}e\u{301}\0\"\\\r\n\u{7F}\u{2028}\u{FEFF} \(column.name) \(number) ")
        case (_, .boolean): .boolean(!number.isMultiple(of: 2))
        case ("priority", _): .integer(Int64(10 - number))
        case (_, .integer16): .integer(Int64(Int16.max) - Int64(number))
        case (_, .integer32): .integer(Int64(Int32.max) - Int64(number))
        case (_, .integer64): .integer(Int64.max - Int64(number))
        case (_, .date): .date(moment(number, column.name))
        default: .null
        }
    }

    /// Returns a time with a fraction of a second, or one before 1970, in the distant past or in the distant future.
    private static func moment(_ number: Int, _ name: String) -> Timestamp {
        let shift = Double(name.utf8.reduce(0) { $0 + Int($1) })
        switch number % 4 {
        case 0: return Timestamp(secondsSince1970: 1_795_248_000.123_456_7 + shift)
        case 1: return Timestamp(secondsSince1970: -62_135_596_800 + shift)
        case 2: return Timestamp(secondsSince1970: 4_102_444_800.000_000_5 + shift)
        default: return Timestamp(secondsSince1970: -0.25 - shift)
        }
    }
}
