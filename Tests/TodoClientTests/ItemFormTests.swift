import CivilTime
import Testing
import TodoAPI

@testable import TodoClient

@Suite struct ItemFormTests {
    private var item: Item {
        var item = Item()
        item.id = 3
        item.name = "Pay the\u{1B}[31m rent"
        item.due = CalendarTime("2026-11-21T09:00:30Z")
        item.every = "every week on Mon and Fri"
        item.category = "Home"
        item.tags = ["errand", "post office"]
        item.parent = 7
        item.blockedBy = [4, 12]
        item.estimate = 5_400
        item.percent = 60
        item.links = [
            ItemLink(typed: "https://a.example/x,y The offer"), ItemLink(typed: "https://b.example"),
        ]
        item.leads = [86_400, 3_600]
        item.notes = "# by transfer\n\nName: not a label here\n"
        return item
    }

    private var form: ItemForm { ItemForm(item, .utc) }

    @Test func formIsReadable() {
        #expect(
            form.text.hasSuffix(
                """

                Name:       Pay the\\u{1B}[31m rent
                Due:        2026-11-21 09:00
                Start:
                Every:      every week on Mon and Fri
                After done: no
                Category:   Home
                Tags:       errand, post office
                Parent:     7
                Blocked by: 4, 12
                Priority:
                Estimate:   1h 30min
                Progress:   60
                Lead:       1d, 1h
                Alerts:
                Muted:      no
                URL:
                Links:      https://a.example/x,y https://b.example

                Notes:
                # by transfer

                Name: not a label here


                """))
        #expect(form.text.split(separator: "\n").allSatisfy { $0.count <= 80 && $0.last != " " })
    }

    @Test func parentAndBlockersAreNumbers() throws {
        var text = form.text.replacing("Parent:     7", with: "Parent: 8")
        text = text.replacing("Blocked by: 4, 12", with: "Blocked by: 4")
        let update = try #require(try form.changes(in: text))
        #expect(update.parent == 8 && update.blockedBy == [4])
        let removed = form.text.replacing("Parent:     7", with: "Parent:")
        #expect(try form.changes(in: removed)?.parent == 0)
        for line in ["Parent: x", "Parent: 7, 8", "Parent: 7-8", "Blocked by: Pack"] {
            let old = line.hasPrefix("Parent") ? "Parent:     7" : "Blocked by: 4, 12"
            #expect(throws: ItemForm.Mistake.self) {
                try form.changes(in: form.text.replacing(old, with: line))
            }
        }
    }

    @Test func unchangedFormIsNoUpdate() throws {
        #expect(try form.changes(in: form.text) == nil)
        #expect(try form.changes(in: "") == nil)
        #expect(try form.changes(in: "# all of it taken out\n\n") == nil)
        #expect(try ItemForm(Item(), .utc).changes(in: ItemForm(Item(), .utc).text) == nil)
    }

    @Test func updateContainsChangedFieldsOnly() throws {
        let text = form.text.replacing("2026-11-21 09:00", with: " fri 9am ")
        let update = try #require(try form.changes(in: text))
        #expect(update.ids == [3] && update.due == "fri 9am")
        #expect(update.name == nil && update.category == nil && update.leads == nil && update.notes == nil)
        #expect(update.priority == nil && update.muted == nil)
    }

    @Test func everyFieldCanBeChanged() throws {
        let text = """
            name: Pay: the rent
            DUE:
            every: week on mon
            after done: yes
            Category:Work
            tags: post office,, garden ,
            Priority: 2
            Estimate: 2h
            Progress: 70%
            URL: https://example.com
            Links: https://c.example  https://a.example/x,y
            Lead: 2d
            Muted: Yes
            Notes: one
            two
            """
        let update = try #require(try form.changes(in: text))
        #expect(update.name == "Pay: the rent" && update.due == "" && update.category == "Work")
        #expect(update.priority == 2 && update.leads == "2d" && update.muted == true)
        #expect(update.every == "week on mon" && update.afterDone == true)
        #expect(update.notes == "one\ntwo" && update.addTags == ["garden"] && update.removeTags == ["errand"])
        #expect(update.estimate == "2h" && update.percent == 70 && update.url == "https://example.com")
        #expect(
            update.links
                == ["https://c.example", "https://a.example/x,y The offer"].map(ItemLink.init(typed:)))
        #expect(try form.changes(in: "Links:\n")?.links == [])
        #expect(try form.changes(in: "Notes:\n")?.notes == "")
    }

    /// A tag that another client has renamed since does not get its old name again.
    @Test func updateContainsOnlyTagsThatDiffer() throws {
        func changes(_ tags: String) throws -> UpdateItems.Parameters? {
            try form.changes(in: "Tags: \(tags)\n")
        }
        let all = try #require(try changes(""))
        #expect(all.tags == nil && all.addTags == nil && all.removeTags == ["errand", "post office"])
        let more = try #require(try changes("errand, post office, a, +b +c d, +errand"))
        #expect(more.addTags == ["a", "b", "c d"] && more.removeTags == nil)
        let others = try #require(try changes("+a +b"))
        #expect(others.addTags == ["a", "b"] && others.removeTags == ["errand", "post office"])
        #expect(try changes("Post Office,  errand") == nil)
    }

    @Test(arguments: [
        ("Progress: much", "Progress is a number from 0 to 100, not 'much'"),
        ("Nmae: x", "'Nmae: x' does not begin with one of Name:, Due:"), ("just words", "'just words'"),
        ("Due: a\nDue: b", "Due: is given twice"), ("Priority: urgent", "not 'urgent'"),
        ("After done: soon", "After done is yes or no, not 'soon'"),
        ("Muted: maybe", "Muted is yes or no, not 'maybe'"),
    ])
    func unreadableFieldIsNamed(text: String, message: String) throws {
        let mistake = try #require(throws: ItemForm.Mistake.self) { try form.changes(in: text) }
        #expect(mistake.message.contains(message), "\(mistake.message)")
    }

    @Test func refusalReplacesEarlierOneAboveForm() throws {
        let text = form.text.replacing("09:00", with: "25:00")
        let first = ItemForm.text(text, refusedWith: "cannot read\nthe time")
        #expect(first.hasPrefix("# This was refused:\n# cannot read\n# the time\n\nName:"))
        let second = ItemForm.text(first, refusedWith: "again")
        #expect(second.hasPrefix("# This was refused:\n# again\n\nName:"))
        #expect(try form.changes(in: second)?.due == "2026-11-21 25:00")
    }
}
