internal import CivilTime
internal import Phrases

// Times of day in a phrase.

extension RecurrencePhrase {
    /// Takes times of day such as `9am`, `8:00,20:00` or `at 8 and 20`.
    ///
    /// The result is empty if the next words name no time of day.
    ///
    /// - Parameter isAfterRule: whether a number without `at`, `and` or a comma before it is an hour. Before a rule it
    ///   may be a day of the month.
    mutating func timesOfDay(isAfterRule: Bool) throws(RecurrenceError) -> [Int] {
        let start = words
        guard let first = try timeOfDay() else { return [] }
        var times = [first]
        while true {
            let before = words
            let isAfterComma = commas.contains(words.count)
            let isJoined = take("and") || isAfterComma
            var time = try timeOfDay()
            if time == nil, isJoined || isAfterRule { time = try bareHour() }
            guard let time else {
                words = before
                if !isAfterRule { try checkNumbers(after: start.dropLast(words.count)) }
                return try Self.different(times)
            }
            times.append(time)
        }
    }

    /// Checks that no numbers follow an hour such as `at 8`, as in `at 8 14 20`. They can be hours or days.
    private func checkNumbers(after time: ArraySlice<Substring>) throws(RecurrenceError) {
        let list = words.prefix { Self.number($0) != nil || $0 == "and" }
        let numbers = list.filter { $0 != "and" }
        guard time.count == 2, time.first == "at", time.last.flatMap(Self.number) != nil, numbers.count > 1
        else { return }
        let rest = words.dropFirst(list.count).map { " \($0)" }.joined()
        let (hour, others) = (time.joined(separator: " "), numbers.joined(separator: " and "))
        throw RecurrenceError(
            reason: "the numbers after '\(hour)' can be hours or days of the month",
            similar: ["\(hour) and \(others)\(rest)", "\(others) \(hour)\(rest)"])
    }

    /// Returns the times in seconds since midnight, which must all be different.
    private static func different(_ times: [ListedTime]) throws(RecurrenceError) -> [Int] {
        let seconds = ListedTime.seconds(of: times)
        for (index, second) in seconds.enumerated() where seconds[..<index].contains(second) {
            throw RecurrenceError(reason: "it names \(clock(second)) twice", advice: "name each time once")
        }
        return seconds
    }

    private mutating func timeOfDay() throws(RecurrenceError) -> ListedTime? {
        var rest = PhraseWords(words)
        do {
            let time = try rest.listedTime()
            words = rest.words
            return time
        } catch {
            throw RecurrenceError(error, after: takenWords)
        }
    }

    /// Takes an hour such as `20` after another time of day.
    private mutating func bareHour() throws(RecurrenceError) -> ListedTime? {
        let next = words.dropFirst()
        guard let word = words.first, Self.number(word) != nil, !Self.isCount(next), next.first != "of",
            next.first.flatMap(RuleInterval.unit) == nil, next.first.flatMap(PhraseWords.month) == nil
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
