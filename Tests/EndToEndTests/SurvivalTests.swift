import CivilTime
import Foundation
import TestSupport
import Testing
import TodoAPI

/// The table in `docs/exchange.md` of the fields that an export and an import into an empty store keep.
@Suite struct SurvivalTests {
    /// The formats of the table, in the order of its columns. A format that is added here needs a column there.
    private static let formats = [
        (title: "JSON", name: "json"), (title: "iCalendar", name: "icalendar"),
        (title: "Core Data XML", name: "coredata"), (title: "todo.txt", name: "todotxt"),
        (title: "Taskwarrior", name: "taskwarrior"),
    ]
    private static let itemCount = 80

    private typealias Fields = [String: NSObject]
    private static let repository = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    @Test func tableOfSurvivingFieldsIsTrue() throws {
        let items = try Self.imported(Self.randomItems(), format: "json")
        let names = Set(items.values.joined().map(\.key)).sorted()
        var columns: [[String: String]] = []
        for format in Self.formats {
            let back = try Self.imported(items.text(format.name), format: format.name)
            // A cancelled item is a deleted task, which an import omits.
            let known = Set(back.values.map { $0["uid"] })
            let lost = items.values.filter { !known.contains($0["uid"]) }
            #expect(
                lost.isEmpty || format.name == "taskwarrior" && lost.allSatisfy { $0["cancelled"] != nil })
            columns.append(Self.survival(of: names, in: items.values, as: back.values))
        }
        let rows = names.map { name in
            "| `\(name)` | " + columns.map { $0[name] ?? "" }.joined(separator: " | ") + " |"
        }
        let head = ["field"] + Self.formats.map(\.title)
        let table =
            (["| \(head.joined(separator: " | ")) |", "|\(String(repeating: " --- |", count: head.count))"]
            + rows)
            .joined(separator: "\n")
        let page = try String(
            contentsOf: Self.repository.appending(path: "docs/exchange.md"), encoding: .utf8)
        #expect(page.contains("\n\(table)\n"), "the table in docs/exchange.md has to be:\n\(table)")
    }

    /// Returns for each field whether no item, some items or all items have the same value in both stores.
    private static func survival(
        of names: [String], in before: [Fields], as after: [Fields]
    ) -> [String: String] {
        let byUID = Dictionary(
            after.compactMap { item in item["uid"].map { ($0, item) } }, uniquingKeysWith: { $1 })
        var words: [String: String] = [:]
        for name in names {
            let pairs = before.map { ($0, $0["uid"].flatMap { byUID[$0] }) }
                .filter { $1 != nil || name == "cancelled" }.map { ($0[name], $1?[name]) }
            let used = pairs.filter { $0.0 != nil || $0.1 != nil }
            let same = used.count { $0.0 == $0.1 }
            words[name] = same == used.count ? "yes" : same == 0 ? "no" : "in part"
        }
        return words
    }

    /// A daemon with imported items.
    private struct Store {
        let sandbox: Sandbox
        var values: [Fields] = []

        func text(_ format: String) throws -> String { try sandbox.run(todoctl: "export --format \(format)") }
    }

    private static func imported(_ text: String, format: String) throws -> Store {
        // Lines and tasks have days, which depend on the zone.
        let sandbox = try Sandbox(zone: "UTC")
        _ = try sandbox.startDaemon()
        try sandbox.write(text, to: "items")
        _ = try sandbox.run(todoctl: "import \(sandbox.directory)/items --format \(format)")
        var store = Store(sandbox: sandbox)
        let json = try JSONSerialization.jsonObject(with: Data(try store.text("json").utf8)) as? [String: Any]
        store.values = (json?["items"] as? [Fields] ?? []).map { item in
            // A value that is empty or false is that of an item without the field.
            item.filter {
                !["", "0", "[]", "false"].contains("\($0.value)".filter { !$0.isWhitespace })
                    && $0.value != NSArray()
            }
        }
        return store
    }

    // MARK: - Random items

    /// Returns a file with items that together use every field.
    private static func randomItems() throws -> String {
        var random = SplitMix(state: 46)
        let items = (0..<itemCount).map { item($0, &random) }
        let file: [String: Any] = ["todod": 1, "categories": [], "items": items]
        return String(decoding: try JSONSerialization.data(withJSONObject: file), as: UTF8.self)
    }

    private static func item(_ number: Int, _ random: inout SplitMix) -> [String: Any] {
        func chance() -> Bool { Bool.random(using: &random) }
        func moment(_ range: ClosedRange<Int> = 3_400_000_000...3_500_000_000) -> String {
            RFC3339.text(Timestamp(secondsSince1970: Double(Int.random(in: range, using: &random))), in: .utc)
                ?? ""
        }
        var item: [String: Any] = [
            "uid": "u\(number)", "name": "Item \(number); a, b", "priority": number % 10, "muted": chance(),
            "completed": number % 4 == 0, "createdAt": moment(1_700_000_000...1_700_100_000),
            "modifiedAt": moment(1_700_100_001...1_700_200_000), "leads": chance() ? [86_400, 300] : [],
        ]
        if chance() { item["notes"] = "One\nTwo; \u{1F9FE} \u{7}" }
        if chance() { item["url"] = "https://example.com/\(number)?a=1,2" }
        if chance() {
            item["links"] = [
                [
                    "url": "https://example.com/a", "title": "A; b", "mediaType": "text/plain",
                    "attachment": true,
                ],
                ["url": "mailto:ada@example.com"],
            ]
        }
        if chance() { item["estimate"] = 5_400 }
        if chance() { item["alerts"] = [moment()] }
        if number % 5 == 3 {
            item["parent"] = "u\(number - 1)"
            item["position"] = number
        }
        if number % 5 == 4 { item["blockedBy"] = ["u\(number - 2)", "u\(number - 1)"] }
        if chance() { item["percent"] = 40 }
        if chance() { item["category"] = "Home, sweet home" }
        if chance() { item["tags"] = ["errand", "später"] }
        if chance() { item["remainder"] = "X-COLOR:#\(number)\r\nLOCATION;LANGUAGE=de:Haus\r\n" }
        if item["completed"] as? Bool == true {
            item["completedAt"] = moment(1_700_100_001...1_700_200_000)
            if number % 8 == 0 { item["cancelled"] = true }
        }
        if number % 5 > 0 { addTimes(to: &item, number, &random) }
        return item
    }

    private static func addTimes(to item: inout [String: Any], _ number: Int, _ random: inout SplitMix) {
        let kind = number % 3
        item["due"] = ["2077-03-01T09:00:00Z", "2077-03-01", "2077-03-01T09:00:00"][kind]
        if Bool.random(using: &random) {
            item["start"] = ["2077-02-27T09:00:00Z", "2077-02-27", "2077-02-27T09:00:00"][kind]
        }
        let isOpen = item["completed"] as? Bool == false
        if isOpen, Bool.random(using: &random) { item["snoozedUntil"] = "2077-03-01T10:00:00Z" }
        item["lastAlert"] = "2026-01-01T00:00:00Z"
        item["told"] = ["next": "2077-03-01T08:55:00Z"]
        guard number % 2 == 0 || kind == 0 else { return }
        item["recurrence"] = ["FREQ=DAILY;COUNT=30", "FREQ=DAILY", "FREQ=DAILY;UNTIL=20991231"][number % 3]
        if kind == 0 { item["timeZone"] = ["Europe/Berlin", "Asia/Kathmandu"][number % 2] }
        if Bool.random(using: &random) { item["afterDone"] = true }
        if Bool.random(using: &random) {
            item["recurrenceStart"] =
                ["2077-02-25T09:00:00Z", "2077-02-25T23:59:59Z", "2077-02-25T09:00:00Z"][kind]
            item["occurrencesDone"] = 4
        }
        if number % 4 > 0 {
            let time = ["T090000Z", "", "T090000"][kind]
            item["excludedDates"] = ["20770302\(time)", "20770304\(time)"]
            item["addedDates"] = ["20770402\(["T120000Z", "", "T120000"][kind])"]
            item["occurrences"] = [
                [
                    "recurrenceID": "20770303\(time)", "name": "Other", "notes": "Else", "priority": 2,
                    "due": ["2077-03-03T15:00:00Z", "2077-03-05", "2077-03-03T15:00:00"][kind],
                    "remainder": "X-A:1\r\n",
                ], ["recurrenceID": "20770306\(time)", "cancelled": true],
            ]
        }
        item["history"] = [["at": "2026-01-01T00:00:00Z", "due": "2026-01-01T00:00:00Z"]]
    }
}
