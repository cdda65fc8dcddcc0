import CivilTime
import Testing

@testable import Reminders

@Suite struct TrailingTimeTests {
    /// Friday 2026-11-20 16:57.
    private let now = RFC3339.moment("2026-11-20T16:57:00Z") ?? Timestamp(secondsSince1970: 0)

    private func finding(_ name: String) -> TrailingTime.Finding? {
        TrailingTime.find(in: name, now: now, zone: .utc)
    }

    @Test(arguments: [
        ("Call mum friday 5pm", "friday 5pm"), ("Pay the rent tomorrow", "tomorrow"),
        ("Pay  the rent\ton 1 dec", "on 1 dec"), ("Hand it in by friday", "by friday"),
        ("Tea in 20 minutes", "in 20 minutes"), ("Tea 18:00", "18:00"), ("Meet Tom At 5 PM", "At 5 PM"),
        ("Dinner tonight", "tonight"), ("Call mum tomorrow at 9", "tomorrow at 9"),
        ("Swim friday morning", "friday morning"), ("Meet Tom at 9", "at 9"),
        ("Read in the evening", "in the evening"), ("Order flowers 24.12.", "24.12."),
        ("Lunch the day after tomorrow", "the day after tomorrow"),
        ("Renew it in 3 weeks at 9am", "in 3 weeks at 9am"), ("Report 2026-12-24 18:00", "2026-12-24 18:00"),
        ("Call mum Sept 3rd", "Sept 3rd"), ("Renew it 1 dec 2027", "1 dec 2027"), ("Pay it dec 1", "dec 1"),
        ("Close the books end of month", "end of month"),
        ("Read at 8 in the evening", "at 8 in the evening"), ("Say good morning at 9", "at 9"),
        ("Send it in 3 weekdays", "in 3 weekdays"), ("Send the weekly report friday", "friday"),
    ])
    func timeIsFound(name: String, time: String) {
        #expect(finding(name) == .time(time))
    }

    @Test(arguments: [
        ("Order flowers dec24", "dec24"), ("Lunch friday@5pm", "friday@5pm"), ("Call back now+3d", "now+3d"),
        ("Tea in pt2h", "in pt2h"), ("Report eom-2d", "eom-2d"),
    ])
    func timeThatBeginsWithLettersIsFound(name: String, time: String) {
        #expect(finding(name) == .time(time))
    }

    @Test(arguments: ["x1", "Cook for Q3", "Read RFC5545", "Call covid19 hotline b2"])
    func otherWordWithDigitsIsNoTime(name: String) {
        #expect(finding(name) == nil)
    }

    /// A4: A rule is found as a whole, and never only the time in it.
    @Test(arguments: [
        ("Rest every weekday", "every weekday"), ("Water the plants every monday", "every monday"),
        ("Swim every 2 weeks", "every 2 weeks"),
        ("Swim every monday 9am", "every monday 9am"), ("Swim 9am every day", "9am every day"),
        ("Stretch every morning", "every morning"), ("Swim every evening at 8", "every evening at 8"),
        ("Swim at 7:30 every mon and fri", "at 7:30 every mon and fri"),
        ("Trash tuesdays 7pm", "tuesdays 7pm"),
        ("Take pill daily at 9", "daily at 9"), ("Standup mon-fri 9am", "mon-fri 9am"),
        ("Pay rent monthly on the 1st", "monthly on the 1st"),
        ("Take pill daily at 8 and 20", "daily at 8 and 20"),
        ("Take pill every day at 8 and 20", "every day at 8 and 20"), ("Stretch hourly", "hourly"),
        ("Gym mondays", "mondays"), ("Gym on Mondays", "on Mondays"),
        ("Gym every mon,wed,fri 18:00", "every mon,wed,fri 18:00"),
        ("Gym mon and thu until christmas", "mon and thu until christmas"),
        ("Gym tuesdays and thursdays", "tuesdays and thursdays"),
        ("Call mum every friday until christmas", "every friday until christmas"),
        ("Call mum every friday at 5pm until 1 dec 2027", "every friday at 5pm until 1 dec 2027"),
        ("Rest every weekend", "every weekend"), ("Swim weekdays 7am", "weekdays 7am"),
        ("Stretch hourly from 9 to 18", "hourly from 9 to 18"), ("Backup 9am daily", "9am daily"),
        ("Call mum each friday 5pm", "each friday 5pm"), ("Call mum once a week", "once a week"),
        ("Take pill at 8:00 and 20:00", "at 8:00 and 20:00"),
        ("Take pill every day 10 times", "every day 10 times"),
        ("Take pill every day for 2 weeks", "every day for 2 weeks"),
    ])
    func ruleIsFound(name: String, rule: String) {
        #expect(finding(name) == .rule(rule))
    }

    @Test(arguments: [
        "Pay the rent", "tomorrow", "friday 5pm", "", "Wait until friday", "Clean up after tomorrow",
        "Say good morning", "Prepare the evening", "Run 5 minutes", "Run for 2 hours", "Read 1984",
        "Buy 2 l milk", "Call 112", "Do it now",
        "Book a table for tomorrow", "Report 2025-12-24", "Enjoy the sun",
        "Item 12", "Buy 3 books 12", "Ask today what it costs", "Look back at yesterday",
        "Install Python 3.13", "Call April", "Read 1/3", "Save for monday", "Meet Tom", "daily at 9",
        "Take pill twice daily at 9", "Read the daily",
        "Plan christmas", "Run 10 times",
    ])
    func wordsOfTextAreNoTime(name: String) {
        #expect(finding(name) == nil)
    }

    /// A last word with two readings is named with both of them.
    @Test(arguments: [
        ("Meet 14h", "14h", "'in 14 hours' or '14:00'"), ("Meet 8h30", "8h30", "'in 8h 30m' or '8:30'"),
        ("Meet 2030", "2030", "'20:30' or '1 jan 2030'"),
    ])
    func unclearTimeIsNamedWithBothReadings(name: String, text: String, readings: String) {
        #expect(finding(name) == .refused(text, reason: "it has two readings; did you mean \(readings)?"))
    }

    @Test(arguments: ["Install Python 3.12", "Read 2001", "Run 2h", "Plan for 2030", "Meet 2030 people"])
    func numberWithOtherUseIsNoTime(name: String) {
        #expect(finding(name) == nil)
    }

    /// The end of a refused time is not another time. All of it is named, with the reason.
    @Test(arguments: [
        ("Pay bill today 8am", "today 8am", "it has passed"),
        ("Pay bill on friday 13 nov 9am", "on friday 13 nov 9am", "it has passed"),
        ("Fly 4/5 9am", "4/5 9am", "it has two readings; did you mean '4 may 9am' or '5 apr 9am'?"),
        ("Meet Bob friday 31 nov 12:00", "friday 31 nov 12:00", "November has 30 days, there is no day 31"),
        ("friday 31 nov 12:00", "friday 31 nov 12:00", "November has 30 days, there is no day 31"),
        ("Meet Bob nov 31 at 9", "nov 31 at 9", "November has 30 days, there is no day 31"),
        ("Call mum tomorrow, monday 9am", "tomorrow, monday 9am", "21 Nov 2026 is a Saturday, not a Monday"),
        (
            "Gym every monday starting 1 dec", "every monday starting 1 dec",
            "'starting 1 dec' is not understood; name the first time as the due time, as in --due '1 dec'"
        ),
        ("Swim every 31 nov 9am", "every 31 nov 9am", "Nov has 30 days, there is no day 31"),
    ])
    func refusedTimeIsNamedEntirely(name: String, text: String, reason: String) {
        #expect(finding(name) == .refused(text, reason: reason))
    }

    /// Several days of the week can mean each of them once, or every week.
    @Test(arguments: [
        ("Decide fri and sat 8pm", "fri and sat 8pm"), ("Gym mon,wed,fri 18:00", "mon,wed,fri 18:00"),
        ("Gym mon/wed/fri", "mon/wed/fri"), ("Gym mon and thu at 6", "mon and thu at 6"),
    ])
    func severalDaysWithoutRepetitionAreRefused(name: String, text: String) {
        let reason = "it names several days; to repeat on them, use --every '\(text)'"
        #expect(finding(name) == .refused(text, reason: reason))
    }

    /// A day with a day or a time that does not exist, or with two readings, is named with the reason.
    @Test(arguments: [
        ("Return books tomorrow 25:00", "tomorrow 25:00", "there is no time of day '25:00'"),
        ("Return books 25:00 tomorrow", "25:00 tomorrow", "there is no time of day '25:00'"),
        ("Return books friday 13pm", "friday 13pm", "there is no time of day '13pm'"),
        ("Meet Bob at 25:00", "at 25:00", "there is no time of day '25:00'"),
        ("Return books friday 31 nov", "friday 31 nov", "November has 30 days, there is no day 31"),
        ("Return books on 31 nov", "on 31 nov", "November has 30 days, there is no day 31"),
        ("Return books nov 31", "nov 31", "November has 30 days, there is no day 31"),
        ("Swim every monday 25:00", "every monday 25:00", "there is no time of day '25:00'"),
        ("Swim every 31 nov", "every 31 nov", "Nov has 30 days, there is no day 31"),
        ("Fly fri 5/6", "fri 5/6", "each of its two readings is in the past or does not exist"),
    ])
    func impossibleTimeIsRefused(name: String, text: String, reason: String) {
        #expect(finding(name) == .refused(text, reason: reason))
    }

    /// Numbers that are not part of a time are ignored.
    @Test(arguments: [
        "Read chapter 25:00", "Buy 2 by 4", "Watch part 13pm", "Sell at 9.99", "Install 22.04",
        "Scan the receipts of nov 2025", "Scan receipts nov 2025", "Sort photos july 87", "Wait until 31 nov",
        "Look back at yesterday 25:00 of", "Channel sun 64", "Read verse 3:16 to 3:75",
        "Play friday the one 31",
    ])
    func otherNumbersAreIgnored(name: String) {
        #expect(finding(name) == nil)
    }

    /// A number with a dot is more often a version than a time, unless `at`, a day before it, or `am` and
    /// `pm` say otherwise.
    @Test(arguments: [
        ("Install 3.13 tomorrow", "tomorrow"), ("Install Python 3.13 on friday 9am", "on friday 9am"),
        ("Install 22.04 friday", "friday"), ("Install 3.13.1 tomorrow", "tomorrow"),
        ("Install 3.13 at 9", "at 9"), ("Install 3.13 9am", "9am"), ("Install 12.11 tomorrow", "tomorrow"),
        ("Dinner tomorrow 19.30", "tomorrow 19.30"), ("Dinner at 19.30 tomorrow", "at 19.30 tomorrow"),
        ("Dinner 9.30 pm tomorrow", "9.30 pm tomorrow"), ("Dinner 9.30pm tomorrow", "9.30pm tomorrow"),
        ("Fly 15.12.26 9am", "15.12.26 9am"), ("Fly 24.12. 9am", "24.12. 9am"),
    ])
    func versionDoesNotBelongToTime(name: String, time: String) {
        #expect(finding(name) == .time(time))
    }

    /// Words before a time that have other meanings do not belong to it.
    @Test(arguments: [
        ("Enjoy the sun tomorrow", "tomorrow"), ("Call April tomorrow 9am", "tomorrow 9am"),
        ("Ask for the one tomorrow", "tomorrow"), ("Call 112 tomorrow", "tomorrow"),
        ("Ask May on friday", "on friday"), ("Be there at last tomorrow", "tomorrow"),
        ("Finish the end of part b friday", "friday"),
    ])
    func otherWordsDoNotBelongToTime(name: String, time: String) {
        #expect(finding(name) == .time(time))
    }
}
