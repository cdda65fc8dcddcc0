import Foundation
import TestServers
import Testing

/// The fields of items on their way from one machine over a real server to another.
@Suite(.waiting) struct SyncFieldTests {
    private static let kinds: [ServerKind] = [.radicale, .xandikos]
    /// The fields that belong to one machine or its store.
    private static let localFields: Set = [
        "history", "lastAlert", "told", "createdAt", "modifiedAt", "remainder", "position", "occurrencesDone",
        "recurrenceStart",
    ]

    /// Returns the fields that both sides have to agree on. An empty value is that of an item without the field, and a value
    /// of a changed occurrence that is also that of the item is no change.
    private func shared(_ item: SyncedMachine.Fields) -> SyncedMachine.Fields {
        var item = item
        if let occurrences = item["occurrences"] as? [SyncedMachine.Fields] {
            item["occurrences"] =
                occurrences.map { occurrence in occurrence.filter { item[$0.key] != $0.value } } as NSArray
        }
        return item.filter { name, value in
            !Self.localFields.contains(name) && value != NSArray()
                && !["", "0", "false"].contains("\(value)") && value != false as NSNumber
        }
    }

    @Test(arguments: ServerKind.allCases)
    func allFieldsAtOnceArriveOnAnotherMachine(kind: ServerKind) throws {
        let tasks = try RemoteTasks(kind)
        let (one, two) = (try SyncedMachine(tasks), try SyncedMachine(tasks))
        try one.addItem("Blocker")
        try one.addItem("Parent --due 2026-12-01")
        let (blocker, parent) = (try one.id("Blocker"), try one.id("Parent"))
        try one.addItem(
            """
            Full --due 2026-12-01T18:00 --start 2026-11-30T08:00 --priority 2 --notes 'One; two, three' \
            --tag food,später --url https://example.com/a?b=1,2 --link https://example.com/c --lead 1d,1h \
            --alert 2026-11-29T20:00 --every week --estimate 90min --percent 40 --parent \(parent) \
            --blocked-by \(blocker)
            """)
        try one.synchronize()
        try two.synchronize()
        for name in ["Blocker", "Parent", "Full"] {
            #expect(try shared(two.item(name)) == shared(one.item(name)))
        }
        let names = try shared(one.item("Full")).keys.sorted()
        #expect(names.count >= 16, "\(names)")
        for machine in [one, two] { try machine.expectAgreement() }
    }

    /// Many items with random fields, of which an item without a due time can have any.
    @Test(arguments: kinds)
    func randomItemsArriveOnAnotherMachine(kind: ServerKind) throws {
        let tasks = try RemoteTasks(kind)
        let (one, two) = (try SyncedMachine(tasks, zone: "UTC"), try SyncedMachine(tasks, zone: "UTC"))
        try one.sandbox.write(RandomItems.file(count: 40, category: tasks.name), to: "items.json")
        try one.run("import ~/items.json")
        try one.synchronize()
        try two.synchronize()
        let (here, there) = (try one.items(), try two.items())
        #expect(here.count == 40)
        for (item, other) in zip(here, there) {
            let (first, second) = (shared(item), shared(other))
            // The number of a counted rule is that of the occurrences that are left.
            let isCounted = "\(first["recurrence"] ?? "" as NSString)".contains("COUNT=")
            let differing = Set(first.keys).union(second.keys).filter {
                first[$0] != second[$0] && !(isCounted && ["recurrence", "every"].contains($0))
            }
            #expect(
                differing.isEmpty,
                "\(item["name"] ?? "" as NSString): \(differing.map { ($0, first[$0] as Any, second[$0] as Any) })"
            )
        }
        for machine in [one, two] { try machine.expectAgreement() }
        // The next synchronization of each machine changes nothing.
        for machine in [one, two, one] {
            #expect(try machine.synchronize() == "Nothing has changed on either side.\n")
        }
    }

    private static let oddNotes = [
        "two\nlines\n\nand a half", "carriage\rreturn", "crlf\r\nline", "emoji 👩‍👩‍👧‍👦 🇦🇹 e\u{301}",
        "back\\slash \\n ; , :",
        "tab\tand trailing space ", "\"quoted\" <b>&amp;</b>", "\u{2028}separator\u{85}next line",
        String(repeating: "Sixty KiB of notes, ü. ", count: 2_600),
    ]

    @Test(arguments: ServerKind.allCases)
    func notesWithOddCharactersSurviveTheWay(kind: ServerKind) throws {
        let tasks = try RemoteTasks(kind)
        let (one, two) = (try SyncedMachine(tasks), try SyncedMachine(tasks))
        let items = Self.oddNotes.enumerated().map { number, notes in
            [
                "name": "Notes \(number)", "notes": notes, "category": tasks.name,
                "uid": "\(tasks.name)-\(number)",
            ]
        }
        let file: [String: Any] = ["todod": 1, "categories": [], "items": items]
        let text = String(decoding: try JSONSerialization.data(withJSONObject: file), as: UTF8.self)
        try one.sandbox.write(text, to: "items.json")
        try one.run("import ~/items.json")
        let before = try one.items().map { $0["notes"] as? String ?? "" }
        #expect(before.count == Self.oddNotes.count)
        try one.synchronize()
        try two.synchronize()
        for machine in [one, two] {
            let after = try machine.items().map { $0["notes"] as? String ?? "" }
            for (number, notes) in before.enumerated() where after[number] != notes {
                // This server turns a backslash before an n into the end of a line.
                #expect(
                    kind == .xandikosOfDebian && notes.contains("\\n"),
                    "\(number): \(after[number].prefix(200))")
            }
        }
        for machine in [one, two] {
            try machine.expectAgreement()
            #expect(try machine.synchronize() == "Nothing has changed on either side.\n")
        }
    }

    @Test(arguments: kinds)
    func tagsAreMergedByNameAndRenamedEverywhere(kind: ServerKind) throws {
        let tasks = try RemoteTasks(kind)
        try tasks.add("task", "CATEGORIES:one,two\\, three")
        let (one, two) = (try SyncedMachine(tasks), try SyncedMachine(tasks))
        #expect(try Set(one.item("task")["tags"] as? [String] ?? []).contains("one"))
        try one.run("tag rename one uno")
        try one.synchronize()
        try two.synchronize()
        #expect(try two.item("task")["tags"] == one.item("task")["tags"])
        #expect(try (two.item("task")["tags"] as? [String])?.contains("uno") == true)
        #expect(try tasks.text("task.ics").contains("uno"))
        try one.expectAgreement()
    }

    // MARK: - Subtasks

    @Test(arguments: kinds)
    func subtasksKeepTheirParentOnAnotherMachine(kind: ServerKind) throws {
        let tasks = try RemoteTasks(kind)
        let (one, two) = (try SyncedMachine(tasks), try SyncedMachine(tasks))
        try one.addItem("Trip")
        for name in ["Pack", "Book"] { try one.addItem("\(name) --parent \(one.id("Trip"))") }
        try one.addItem("Socks --parent \(one.id("Pack"))")
        try one.synchronize()
        try two.synchronize()
        let parents = { (machine: SyncedMachine) throws in
            try machine.items().map { [$0["name"], $0["uid"], $0["parent"]] }
        }
        #expect(try parents(two) == parents(one))
        try two.run("edit \(two.id("Socks")) --parent \(two.id("Book"))")
        try two.synchronize()
        try one.synchronize()
        #expect(try parents(one) == parents(two))
        try two.run("edit \(two.id("Socks")) --parent ''")
        try two.synchronize()
        try one.synchronize()
        let text = try tasks.text(named: "Socks")
        #expect(try one.item("Socks")["parent"] == nil, "\(text)")
        for machine in [one, two] { try machine.expectAgreement() }
    }

    /// Another program deletes the parent alone. Its subtasks stay, and their texts keep the relation.
    @Test(arguments: kinds)
    func removedParentLeavesItsSubtasks(kind: ServerKind) throws {
        let tasks = try RemoteTasks(kind)
        try tasks.add("parent")
        try tasks.add("child", "RELATED-TO;RELTYPE=PARENT:parent")
        let machine = try SyncedMachine(tasks)
        #expect(try machine.item("child")["parent"] == "parent" as NSString)
        let before = try tasks.text("child.ics")
        try tasks.delete("parent.ics")
        try machine.synchronize()
        #expect(try machine.names() == ["child"])
        #expect(try machine.item("child")["parent"] == nil)
        #expect(try tasks.text("child.ics") == before)
        // The parent comes back.
        try tasks.add("parent")
        try machine.synchronize()
        #expect(try machine.item("child")["parent"] == "parent" as NSString)
        try machine.expectAgreement()
    }

    /// A deletion of a parent here deletes its subtasks on both sides.
    @Test(arguments: kinds)
    func parentDeletedHereTakesItsSubtasksAlong(kind: ServerKind) throws {
        let tasks = try RemoteTasks(kind)
        let machine = try SyncedMachine(tasks)
        try machine.addItem("Trip")
        try machine.addItem("Pack --parent \(machine.id("Trip"))")
        try machine.addItem("Other")
        try machine.synchronize()
        try machine.run("delete \(machine.id("Trip")) --yes")
        try machine.synchronize()
        #expect(try tasks.names() == machine.names())
        #expect(try !machine.names().contains("Trip"))
        try machine.expectAgreement()
    }
}
