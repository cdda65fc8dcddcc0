import CivilTime
import Foundation
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
        let items = try Self.imported(RandomItems.file(count: Self.itemCount), format: "json")
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
}
