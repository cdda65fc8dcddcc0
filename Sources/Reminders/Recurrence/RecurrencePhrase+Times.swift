internal import CivilTime
internal import Phrases

// Times of day in a phrase.

extension RecurrencePhrase {
    /// Takes times of day such as `9am`, `8:00,20:00` or `at 8 and 20`.
    ///
    /// The result is empty if the next words name no time of day.
    ///
    /// - Parameter isAfterRule: whether a number without `at` or `and` before it is an hour. Before a rule it may be a
    ///   day of the month.
    mutating func timesOfDay(isAfterRule: Bool) throws(RecurrenceError) -> [Int] {
        guard let first = try timeOfDay() else { return [] }
        var times = [first]
        while true {
            let before = words
            let isJoined = take("and")
            var time = try timeOfDay()
            if time == nil, isJoined || isAfterRule { time = try bareHour() }
            guard let time else {
                words = before
                return times
            }
            times.append(time)
        }
    }

    private mutating func timeOfDay() throws(RecurrenceError) -> Int? {
        var rest = PhraseWords(words)
        do {
            let second = try rest.timeOfDay()
            words = rest.words
            return second
        } catch {
            throw RecurrenceError(error, after: takenWords)
        }
    }

    /// Takes an hour such as `20` after another time of day.
    private mutating func bareHour() throws(RecurrenceError) -> Int? {
        guard let word = words.first, Self.number(word) != nil, !Self.isCount(words.dropFirst()),
            words.dropFirst().first.flatMap(RuleInterval.unit) == nil
        else { return nil }
        var rest = self
        rest.words = (["at"] + words)[...]
        guard let time = try rest.timeOfDay() else { return nil }
        words = rest.words
        return time
    }

    /// Returns a rule with several times of day, which must all be different.
    static func rule(_ rule: String, at times: [Int]) throws(RecurrenceError) -> String {
        if rule.contains("FREQ=HOURLY") || rule.contains("FREQ=MINUTELY") {
            throw RecurrenceError(
                reason:
                    "a rule within the day has its own times",
                advice: "name its hours, as in '2 hours from 9 to 18'")
        }
        if rule.contains("BYSETPOS") {
            throw RecurrenceError(
                reason: "such days can have only one time", advice: "add an item for each other time")
        }
        let hours = Set(times.map { $0 / 3_600 }).sorted()
        let minutes = Set(times.map { $0 / 60 % 60 }).sorted()
        guard hours.count * minutes.count == times.count, times.allSatisfy({ $0 % 60 == 0 }) else {
            throw RecurrenceError(
                reason: "the times of a rule need the same minutes",
                advice: "add an item for each of these times, "
                    + "such as 'daily at \(clock(times[0]))' and 'daily at \(clock(times[1]))'")
        }
        let list = { (numbers: [Int]) in numbers.map(String.init).joined(separator: ",") }
        return "\(rule);BYHOUR=\(list(hours));BYMINUTE=\(list(minutes))"
    }

    /// Returns a time of day as it can be typed: `08:00`.
    ///
    /// An hour without a zero, as in `3:00`, would be in the afternoon.
    static func clock(_ second: Int) -> String {
        let (minute, rest) = (second / 60 % 60, second % 60)
        let hour = second / 3_600
        return "\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)"
            + (rest == 0 ? "" : ":\(rest < 10 ? "0" : "")\(rest)")
    }
}
