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
        let remarks = item.setTags(ofOtherProgram: (0...ReminderModel.tagsLimit).map { "t\($0)" } + ["T1"])
        #expect(item.tags.count == ReminderModel.tagsLimit)
        #expect(remarks == ["the tag 't\(ReminderModel.tagsLimit)' is omitted"])
        #expect(item.setTags(ofOtherProgram: ["two  words", " +x "]) == ["the tag ' +x ' becomes 'x'"])
        #expect(item.tags == ["two  words", "x"])
    }
}
