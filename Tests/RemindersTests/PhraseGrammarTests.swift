import CivilTime
import Foundation
import Phrases
import TestSupport
import Testing

@testable import Reminders

/// Generates sentences of every supported form, at any moment and in any zone, and checks properties of each
/// result without computing it again.
@Suite struct PhraseGrammarTests {
    private static let zones = [
        "UTC", "Europe/Madrid", "Australia/Lord_Howe", "Pacific/Apia", "America/St_Johns",
        "Africa/Casablanca",
        "Asia/Kathmandu", "America/Santiago",
    ]
    private static let rounds = 500

    private struct Scene {
        let now: Timestamp
        let zone: TimeZoneRules
        let today: CivilDateTime
        let defaultTime: Int

        init(_ random: inout SplitMix) throws {
            let name = try #require(PhraseGrammarTests.zones.randomElement(using: &random))
            zone = try #require(TimeZoneRules(named: name))
            // From 2011 to 2038.
            now = Timestamp(
                secondsSince1970: Double(Int.random(in: 1_300_000_000...2_150_000_000, using: &random)))
            today = try #require(zone.civil(at: now))
            defaultTime = 60 * Int.random(in: 0..<1_440, using: &random)
        }

        func read(_ text: String) throws -> Timestamp {
            try DatePhrase.reading(text, now: now, zone: zone, defaultTime: defaultTime).moment
        }

        /// Whether the clock shows this time at `moment`, or skips it there.
        func shows(_ date: CivilDate?, _ second: Int, at moment: Timestamp) -> Bool {
            date.map { zone.moment(of: CivilDateTime($0, secondOfDay: second)) } == moment
        }

        var place: String { "at \(RFC3339.text(now, in: zone) ?? "") in \(zone.name)" }
    }

    /// A time of day in one of its forms, and its second.
    private func time(_ random: inout SplitMix) -> (text: String, second: Int) {
        let hour = Int.random(in: 0..<24, using: &random)
        let minute = Int.random(in: 0..<60, using: &random)
        let minutes = minute < 10 ? "0\(minute)" : "\(minute)"
        let (half, twelve) = (hour < 12 ? "am" : "pm", hour % 12 == 0 ? 12 : hour % 12)
        // Without am or pm, and without a leading zero.
        let plainHour = (1...6).contains(hour) ? hour + 12 : hour
        switch Int.random(in: 0...5, using: &random) {
        case 0: return ("\(hour):\(minutes)", plainHour * 3_600 + minute * 60)
        case 1: return ("\(twelve)\(half)", hour * 3_600)
        case 2: return ("at \(twelve):\(minutes) \(half)", hour * 3_600 + minute * 60)
        case 3: return ("noon", 43_200)
        case 4: return ("midnight", 0)
        default: return ("\(hour):\(minutes):07", plainHour * 3_600 + minute * 60 + 7)
        }
    }

    /// The text as another person might type it.
    private func varied(
        _ text: String, spaces: [String] = ["  ", "\t", " \n ", " , "], _ random: inout SplitMix
    ) -> String {
        let words = text.split(separator: " ").map { word in
            Bool.random(using: &random)
                ? word.uppercased() : Bool.random(using: &random) ? word.capitalized : String(word)
        }
        let space = spaces.randomElement(using: &random) ?? " "
        return " " + words.joined(separator: space) + " "
    }

    @Test func everyFormHasItsMeaning() throws {
        var random = SplitMix(state: 11)
        for _ in 0..<Self.rounds {
            let scene = try Scene(&random)
            let isTimed = Bool.random(using: &random)
            let time = isTimed ? time(&random) : ("", scene.defaultTime)
            let today = scene.today.date
            let isInFuture = time.1 > scene.today.secondOfDay
            var text: String
            var isRight: (Timestamp) -> Bool
            switch Int.random(in: 0...7, using: &random) {
            case 0 where isTimed:
                // A time without a day is the next one.
                (text, isRight) = (
                    "", { scene.shows(isInFuture ? today : today.adding(days: 1), time.1, at: $0) }
                )
            case 0...1:
                (text, isRight) = ("tomorrow", { scene.shows(today.adding(days: 1), time.1, at: $0) })
            case 2:
                (text, isRight) = ("today", { scene.shows(today, time.1, at: $0) })
            case 3, 4:
                let weekday = Weekday.allCases[Int.random(in: 0..<7, using: &random)]
                let isNext = Bool.random(using: &random)
                let begin = ["", "on ", "this "].randomElement(using: &random) ?? ""
                text = (isNext ? "next " : begin) + weekday.shortName.lowercased()
                let isThisDay = !isNext && begin == "this " && weekday == today.weekday
                // That day within a week, and not in the past. `this` day may be today.
                isRight = { moment in
                    if isThisDay { return scene.shows(today, time.1, at: moment) }
                    return (0...7).contains { days in
                        let date = today.adding(days: days)
                        let isLater = days > 0 || (!isNext && isInFuture)
                        return isLater && date?.weekday == weekday && scene.shows(date, time.1, at: moment)
                    }
                }
            case 5:
                let days = Int.random(in: 1..<4_000, using: &random)
                let date = try #require(today.adding(days: days))
                let two = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
                text = "\(date.year)-\(two(date.month))-\(two(date.day))"
                isRight = { scene.shows(date, time.1, at: $0) }
            case 6:
                let days = Int.random(in: 1..<360, using: &random)
                let date = try #require(today.adding(days: days))
                let month = [
                    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
                ][date.month - 1]
                text = Bool.random(using: &random) ? "\(date.day) \(month)" : "\(month) \(date.day)"
                isRight = { scene.shows(date, time.1, at: $0) }
            default:
                (text, isRight) = (
                    "end of month",
                    { moment in
                        guard let date = scene.zone.civil(at: moment)?.date else { return false }
                        // The end of the last day, if its time is in the past.
                        let isOver = !isTimed && date == today && time.1 <= scene.today.secondOfDay
                        return scene.shows(date, isOver ? 86_340 : time.1, at: moment)
                            && date.month == today.month && date.adding(days: 1)?.day == 1
                    }
                )
            }
            if isTimed { text = Bool.random(using: &random) ? "\(text) \(time.0)" : "\(time.0) \(text)" }
            let moment = try scene.read(text)
            #expect(
                isRight(moment), "'\(text)' \(scene.place): \(RFC3339.text(moment, in: scene.zone) ?? "")")
            let other = varied(text, &random)
            #expect(try scene.read(other) == moment, "'\(other)' \(scene.place)")
        }
    }

    @Test func durationsAreInFutureAndAddUp() throws {
        var random = SplitMix(state: 12)
        for _ in 0..<Self.rounds {
            let scene = try Scene(&random)
            let count = Int.random(in: 1...500, using: &random)
            let (unit, seconds) =
                [("minutes", 60.0), ("h", 3_600), ("sec", 1), ("min", 60)].randomElement(using: &random) ?? (
                    "h", 3_600
                )
            // 15h is a time of day in other languages.
            let bare = unit == "h" ? "\(count)h 0min" : "\(count)\(unit)"
            let text =
                ["in \(count) \(unit)", "+\(count)\(unit)", bare].randomElement(using: &random) ?? ""
            #expect(try scene.read(text) == scene.now + Double(count) * seconds, "'\(text)' \(scene.place)")
            // A comma would separate two lengths.
            let other = varied(text, spaces: ["  ", "\t"], &random)
            #expect(try scene.read(other) == scene.read(text))
            // Days keep the local time.
            let days = try scene.read("in \(count) days")
            #expect(
                scene.shows(scene.today.date.adding(days: count), scene.today.secondOfDay, at: days),
                "\(count) days \(scene.place)")
            let months = try scene.read("\(count % 40 + 1) months")
            #expect(
                scene.shows(
                    scene.today.date.adding(months: count % 40 + 1), scene.today.secondOfDay, at: months))
        }
    }

    /// A time as the API prints it, with the offset of that moment, is read as the same moment.
    @Test func printedTimesReadBack() throws {
        var random = SplitMix(state: 13)
        for _ in 0..<Self.rounds {
            let scene = try Scene(&random)
            let moment = scene.now + Double(Int.random(in: -100_000_000...100_000_000, using: &random))
            let text = try #require(RFC3339.text(moment, in: scene.zone))
            #expect(try scene.read(text) == moment)
            #expect(try scene.read(text.lowercased()) == moment)
        }
    }

    /// Words in any order, and arbitrary bytes, have a result or an error.
    @Test func nonsenseIsRefused() throws {
        let words = [
            "in", "at", "on", "next", "this", "the", "day", "after", "tomorrow", "friday", "9am", "9", "pm",
            "13:00", "dec", "1",
            "1st", "2026", "2026-12-24", "end", "of", "month", "year", "week", "+", "+2h", "and", "a", "an",
            "hour", "noon", "t",
            "-", ":", "::", "12:", "99999999999999999999", "0", ".", "1.5", "1e9", "z", "+01:00", "\u{0}",
            "\u{1F9FE}", "٣",
        ]
        var random = SplitMix(state: 14)
        for round in 0..<Self.rounds {
            let scene = try Scene(&random)
            let text: String
            if round.isMultiple(of: 2) {
                text = (0...Int.random(in: 0...5, using: &random)).compactMap { _ in
                    words.randomElement(using: &random)
                }
                .joined(separator: Bool.random(using: &random) ? " " : "")
            } else {
                text = String(
                    decoding: (0..<Int.random(in: 0...40, using: &random)).map { _ in
                        UInt8.random(in: 0...255, using: &random)
                    }, as: UTF8.self)
            }
            do {
                let moment = try scene.read(text)
                #expect(scene.zone.civil(at: moment) != nil, "'\(text)'")
            } catch let error as DatePhraseError {
                #expect(!error.reason.isEmpty)
            }
            let context = RecurrencePhrase.Context(now: scene.now, zone: scene.zone)
            do { _ = try RecurrencePhrase.reading(text, context) } catch { #expect(!error.reason.isEmpty) }
            _ = try? DurationPhrase.reading(text)
        }
    }

    /// A text that is too long is refused without delay.
    @Test(arguments: ["9", "in ", "next friday ", "1h", "mon,", "\u{1F9FE}"]) func longTextIsRefusedPromptly(
        word: String
    ) throws {
        var random = SplitMix(state: 15)
        let scene = try Scene(&random)
        let text = String(repeating: word, count: 1 << 20)
        #expect(throws: DatePhraseError(reason: "a time has at most 500 bytes")) { try scene.read(text) }
        let context = RecurrencePhrase.Context(now: scene.now, zone: scene.zone)
        #expect(throws: RecurrenceError(reason: "a rule has at most 500 characters")) {
            try RecurrencePhrase.reading(text, context)
        }
        #expect(!DatePhrase.namesNoDay(text))
    }
}
