import CivilTime
import Phrases
import Testing

@testable import Reminders

@Suite struct QuickEntryTests {
    /// Friday 2026-11-20 16:57.
    private let now = RFC3339.moment("2026-11-20T16:57:00Z") ?? Timestamp(secondsSince1970: 0)

    private func entry(
        _ text: String, typed: Set<NameOption.Kind> = [], day: CivilDate? = nil
    ) -> QuickEntry {
        QuickEntry(text, .init(now: now, zone: .utc, typed: typed, day: day))
    }

    /// Returns `Pay rent|due=fri 9am|tag=home`.
    private func summary(_ entry: QuickEntry) -> String {
        ([entry.name] + entry.parts.map { "\($0.kind.rawValue)=\($0.value)" }).joined(separator: "|")
    }

    @Test(arguments: [
        (
            "pay rent fri 9am +home p1 every month",
            "pay rent|due=fri 9am|tag=home|priority=1|every=month"
        ),
        ("pay rent fri 9am every month", "pay rent|due=fri 9am|every=month"),
        ("pay rent every month fri 9am", "pay rent|every=month|due=fri 9am"),
        ("pay rent p1 +home fri 9am", "pay rent|priority=1|tag=home|due=fri 9am"),
        ("pay rent every month p2 tomorrow", "pay rent|every=month|priority=2|due=tomorrow"),
        ("call mum tomorrow at 5pm", "call mum|due=tomorrow at 5pm"),
        ("call mum friday +home 5pm", "call mum|due=friday 5pm|tag=home"),
        ("call mum by friday @home", "call mum|due=by friday|category=home"),
        ("buy milk, tomorrow", "buy milk|due=tomorrow"),
        ("buy milk +errand +shop", "buy milk|tag=errand|tag=shop"),
        ("+home buy milk", "buy milk|tag=home"), ("buy +shop milk", "buy milk|tag=shop"),
        ("buy milk #errand !1", "buy milk|tag=errand|priority=1"), ("buy milk P3", "buy milk|priority=3"),
        ("buy milk p9", "buy milk|priority=9"), ("buy milk @home-office", "buy milk|category=home-office"),
        ("buy milk @home_2", "buy milk|category=home_2"), ("Ärger +küche", "Ärger|tag=küche"),
        ("swim every monday 9am", "swim|every=monday 9am"),
        ("trash tuesdays 7pm", "trash|every=tuesdays 7pm"),
        ("swim at 9am every monday +sport", "swim|every=at 9am every monday|tag=sport"),
        ("pill daily at 8 and 20 p1", "pill|every=daily at 8 and 20|priority=1"),
        ("water plants on monday every month", "water plants|due=on monday|every=month"),
        ("milk due:tomorrow project:home pri:H", "milk|due=tomorrow|category=home|priority=1"),
        ("milk pri:m", "milk|priority=5"), ("milk priority:low", "milk|priority=9"),
        ("milk pri:3", "milk|priority=3"),
        ("water rec:day due:friday", "water|every=day|due=friday"), ("call tag:work", "call|tag=work"),
        ("taxes start:monday due:friday", "taxes|start=monday|due=friday"),
        ("taxes wait:tomorrow", "taxes|start=tomorrow"),
        ("milk +errand +Errand", "milk|tag=errand|tag=Errand"),
        ("milk @home @Home", "milk|category=home|category=Home"),
        ("milk due:friday friday", "milk|due=friday|due=friday"),
        ("tea in 20 minutes p1", "tea|due=in 20 minutes|priority=1"),
        ("lunch 24.12. @family", "lunch|due=24.12.|category=family"),
        ("fix p1 outage tomorrow", "fix p1 outage|due=tomorrow"),
        ("read chapter 5 tomorrow", "read chapter 5|due=tomorrow"),
    ])
    func wordsSetProperties(text: String, expected: String) {
        let entry = entry(text)
        #expect(summary(entry) == expected)
        #expect(entry.problem == nil)
        #expect(entry.parts.allSatisfy { !$0.words.isEmpty })
    }

    @Test(arguments: [
        "buy 3 may flowers", "read chapter 5", "p1", "!1", "+home", "@home +errand", "tomorrow", "+1",
        "vote +1", "give it a +1", "learn C++", "a+b", "a + b", "me@home.org", "write to me@home.org",
        "mail @example.com", "update @types/node", "follow @me@social.example", "fix p1 outage", "fix p10",
        "fix p0", "pp1", "!12", "wow !", "wow !!", "issue #12", "learn C#", "#", "+", "@", "buy milk +a,b",
        "ask @bob, then call", "ask (@bob)", "look at http://x", "meet at 10:30 or later", "due: x",
        "C: drive",
        "wait until friday", "save for monday", "say good morning", "call April", "install Python 3.13",
        "run 5 minutes", "monday is a good day", "every month is long", "buy a 9am alarm clock",
        "tea pri:urgent", "tea pri:12", "tea pri:0", "", "  ", "due:friday", "watch friday the 13th movie",
        "the daily mail", "plan christmas", "read 1984", "5 minutes plank",
    ])
    func otherWordsAreName(text: String) {
        let entry = entry(text)
        #expect(entry.name == text && entry.parts.isEmpty)
        #expect(entry.problem == nil)
    }

    @Test(arguments: [
        ("fly 4/5 9am", "fly 4/5 9am", "it has two readings"),
        (
            "pay bill today 8am +home", "pay bill today 8am|tag=home",
            "'today 8am' in the name is not used as the due time"
        ),
        ("return books tomorrow 25:00", "return books tomorrow 25:00", "there is no time of day '25:00'"),
        ("milk due:fridya", "milk due:fridya", "did you mean 'friday'?"),
        ("milk due:soonish +shop", "milk due:soonish|tag=shop", "'due:soonish' in the name is not used"),
        ("milk due:yesterday", "milk due:yesterday", "it is in the past"),
        ("milk rec:blue", "milk rec:blue", "'rec:blue' in the name is not used"),
        ("tea due:8h30", "tea due:8h30", "did you mean 'in 8h 30m' or '8:30'?"),
        (
            "dinner due:saturday friday 9am", "dinner due:saturday friday 9am",
            "'due:saturday' and 'friday 9am' in the name are not used: an item has one due time"
        ),
        (
            "milk due:monday +shop due:friday", "milk due:monday due:friday|tag=shop",
            "an item has one due time"
        ),
        (
            "milk @home tomorrow @work", "milk @home @work|due=tomorrow",
            "'@home' and '@work' in the name are not used: an item has one category"
        ),
        ("milk p1 p2", "milk p1 p2", "'p1' and 'p2' in the name are not used: an item has one priority"),
        ("milk pri:H p2", "milk pri:H p2", "an item has one priority"),
        ("gym mon and thu at 6", "gym mon and thu at 6", "to repeat on them, use --every"),
        ("report monday p1 friday", "report monday friday|priority=1", "an item has one due time"),
        ("water rec:day every week", "water rec:day every week", "an item has one rule"),
        ("swim every 31 nov", "swim every 31 nov", "there is no day 31"),
        (
            "rent friday 9am p10", "rent friday 9am p10",
            "'friday 9am' in the name is not used: 'p10' after it is no time, and no priority from p1 to p9"
        ),
        ("swim every tuesday p0", "swim every tuesday p0", "'every tuesday' in the name is not used: 'p0'"),
    ])
    func problemIsNamedAndWordsStay(text: String, expected: String, problem: String) {
        let entry = entry(text)
        #expect(summary(entry) == expected)
        #expect(entry.problem?.contains(problem) == true, "\(entry.problem ?? "none")")
    }

    /// An option for a property keeps the words for it in the name.
    @Test func optionsHavePriority() {
        let text = "rent +home @work p2 rec:month due:friday 9am"
        #expect(
            summary(entry("rent +home @work due:friday p2", typed: [.due, .category]))
                == "rent @work due:friday|tag=home|priority=2")
        #expect(summary(entry("swim friday", typed: [.every])) == "swim friday")
        #expect(summary(entry("swim every day", typed: [.due])) == "swim every day")
        #expect(summary(entry("swim friday p2", typed: [.priority])) == "swim friday p2")
        #expect(summary(entry(text, typed: Set(NameOption.Kind.allCases))).contains("|tag=home"))
    }

    /// `--due friday 9am` without quotation marks leaves the time of day in the text.
    @Test func timeOfDayIsAddedToDay() {
        let day = CivilDate(year: 2026, month: 11, day: 27)
        #expect(summary(entry("swim 9am", typed: [.due], day: day)) == "swim|due=2026-11-27 9am")
        #expect(summary(entry("swim tomorrow 9am", typed: [.due], day: day)) == "swim tomorrow 9am")
        #expect(summary(entry("swim every week", typed: [.due], day: day)) == "swim every week")
    }

    @Test func partsNameTheirWords() {
        let parts = entry("call mum friday +home 5pm").parts
        #expect(parts.map(\.words) == [[2, 4], [3]])
        #expect(parts.map(\.text) == ["friday 5pm", "+home"])
    }
}
