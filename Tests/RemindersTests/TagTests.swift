import CivilTime
import ObjectStore
import Testing

@testable import Reminders

@Suite struct TagTests {
    /// A list of the items with a tag, or with several, reads the pairs of these tags and not all items.
    @Test(arguments: 1...2) func listByTagUsesIndexOfPairs(count: Int) throws {
        let scratch = try Scratch()
        let coordinator = PersistentStoreCoordinator(model: try ReminderModel.current())
        try coordinator.addStore(.sqlite(path: scratch.path("todo.sqlite")))
        let context = ManagedObjectContext(coordinator: coordinator)
        var request = ToDo.where { !$0.completed }
        for number in 0..<count {
            let tag = try context.insertTag("t\(number)", at: Timestamp(secondsSince1970: 1_795_194_000))
            request = request.where { $0.tags.contains(tag) }
        }
        try context.save()
        let plan = try context.explanation(of: request.ordered(by: \.dueDate)).plan
        #expect(!plan.contains { $0.contains("SCAN") }, "\(plan.joined(separator: "; "))")
        #expect(
            plan.contains { $0.contains("Tag_toDos USING PRIMARY KEY (owner=?)") },
            "\(plan.joined(separator: "; "))")
        coordinator.close()
    }

    /// A name of another program becomes a name here, or is omitted.
    @Test func tagsOfOtherProgramAreLimited() {
        var item = ExchangeItem(uid: "A", name: "x")
        let limit = ReminderModel.tagsLimit
        var remarks = TagRemarks()
        item.setTags(ofOtherProgram: (0..<5_000).map { "t\($0)" } + ["T1"], &remarks, line: 7)
        #expect(item.tags.count == limit)
        #expect(
            remarks.lines == [
                "\(5_000 - limit) tags omitted, such as 't\(limit)' of 'x' (line 7): an item has at most \(limit) tags"
            ])
        remarks = TagRemarks()
        item.setTags(ofOtherProgram: ["two  words", " +x ", " y ", "a\u{1}b\nc"], &remarks)
        #expect(item.tags == ["a b c", "two  words", "x", "y"])
        #expect(
            remarks.lines == [
                "2 tags changed, such as ' +x ' of 'x', which becomes 'x': the name of a tag has no comma, "
                    + "no control character, and no + or # before it"
            ])
    }
}
