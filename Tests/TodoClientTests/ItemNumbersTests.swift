import CivilTime
import Testing
import TodoAPI

@testable import TodoClient

@Suite struct ItemNumbersTests {
    @Test(
        arguments: [
            ("3", [3], []), ("3-7", [], [3...7]), ("3,5-7,9", [3, 9], [5...7]), ("4-4", [4], []),
            ("007", [7], []),
        ] as [(String, [Int64], [ClosedRange<Int64>])])
    func wordNamesNumbersAndRanges(word: String, single: [Int64], ranges: [ClosedRange<Int64>]) {
        var numbers = ItemNumbers()
        let isTaken = numbers.add(word)
        #expect(isTaken)
        #expect(numbers.single == single)
        #expect(numbers.ranges == ranges)
    }

    @Test(arguments: [
        "", "x", "0", "-1", "3-", "-3", "7-3", "1-2-3", "3,", "3,x", "+3", "99999999999999999999",
    ])
    func invalidWordIsRefused(word: String) {
        var numbers = ItemNumbers()
        let isTaken = numbers.add(word)
        #expect(!isTaken)
        #expect(numbers.isEmpty && numbers.single.isEmpty && numbers.ranges.isEmpty)
    }
}

@Suite struct ItemTemplateTests {
    private var item: Item {
        var item = Item()
        item.id = 3
        item.name = "Pay\tthe \u{1B}[31mrent"
        item.due = CalendarTime("2026-11-21T09:00:00Z")
        item.leads = [3_600, 60]
        return item
    }

    @Test(arguments: [
        (#"{id}\t{due}"#, "3\t2026-11-21T09:00:00Z"), ("{name}", #"Pay\tthe \u{1B}[31mrent"#),
        ("[{category}] {priority} {completed}", "[] 0 false"), (#"\{\}\\\n{id}"#, "{}\\\n3"), ("}", "}"),
        (#"x\"#, #"x\"#), ("{due:local}, {due:relative}", "2026-11-21 09:00, in 2 h"),
        ("{leads}", "3600,60"), ("{lastAlert:local}", ""),
    ])
    func templateFormatsItem(format: String, line: String) throws {
        let now = try #require(RFC3339.moment("2026-11-21T07:00:00Z"))
        let words = TimeInWords(now: now, zone: .utc)
        #expect(try ItemTemplate(format).line(for: item, .utc, words) == line)
    }

    @Test(arguments: [
        ("{nme}", "Did you mean '{name}'?"), ("{xyzzy}", "It has id, uid,"), ("{id", "has no '}'"),
        ("", "The fields are id, uid,"),
    ])
    func invalidTemplateIsRefused(format: String, text: String) throws {
        let error = try #require(throws: ClientError.self) { try ItemTemplate(format) }
        #expect(error.exitStatus == 2 && error.message.contains(text), "\(error.message)")
    }
}
