import CivilTime
import Foundation
import TestSupport

/// Items that together use every field, the same in each run.
enum RandomItems {
    /// Returns the text of a file in todod's own format.
    ///
    /// - Parameter category: the category of all items, or `nil` for one that some of them have.
    static func file(count: Int, category: String? = nil) throws -> String {
        var random = SplitMix(state: 46)
        var items = (0..<count).map { item($0, &random) }
        if let category { for index in items.indices { items[index]["category"] = category } }
        let file: [String: Any] = ["todod": 1, "categories": [], "items": items]
        return String(decoding: try JSONSerialization.data(withJSONObject: file), as: UTF8.self)
    }

    private static func item(_ number: Int, _ random: inout SplitMix) -> [String: Any] {
        func chance() -> Bool { Bool.random(using: &random) }
        func moment(_ range: ClosedRange<Int> = 3_400_000_000...3_500_000_000) -> String {
            RFC3339.text(Timestamp(secondsSince1970: Double(Int.random(in: range, using: &random))), in: .utc)
                ?? ""
        }
        var item: [String: Any] = [
            "uid": "u\(number)", "name": "Item \(number); a, b", "priority": number % 10, "muted": chance(),
            "completed": number % 4 == 0, "createdAt": moment(1_700_000_000...1_700_100_000),
            "modifiedAt": moment(1_700_100_001...1_700_200_000), "leads": chance() ? [86_400, 300] : [],
        ]
        if chance() { item["notes"] = "One\nTwo; \u{1F9FE} \u{7}" }
        if chance() { item["url"] = "https://example.com/\(number)?a=1,2" }
        if chance() {
            item["links"] = [
                [
                    "url": "https://example.com/a", "title": "A; b", "mediaType": "text/plain",
                    "attachment": true,
                ],
                ["url": "mailto:ada@example.com"],
            ]
        }
        if chance() { item["estimate"] = 5_400 }
        if chance() { item["alerts"] = [moment()] }
        if number % 5 == 3 {
            item["parent"] = "u\(number - 1)"
            item["position"] = number
        }
        if number % 5 == 4 { item["blockedBy"] = ["u\(number - 2)", "u\(number - 1)"] }
        if chance() { item["percent"] = 40 }
        if chance() { item["category"] = "Home, sweet home" }
        if chance() { item["tags"] = ["errand", "später"] }
        if chance() { item["remainder"] = "X-COLOR:#\(number)\r\nLOCATION;LANGUAGE=de:Haus\r\n" }
        if item["completed"] as? Bool == true {
            item["completedAt"] = moment(1_700_100_001...1_700_200_000)
            if number % 8 == 0 { item["cancelled"] = true }
        }
        if number % 5 > 0 { addTimes(to: &item, number, &random) }
        return item
    }

    private static func addTimes(to item: inout [String: Any], _ number: Int, _ random: inout SplitMix) {
        let kind = number % 3
        item["due"] = ["2077-03-01T09:00:00Z", "2077-03-01", "2077-03-01T09:00:00"][kind]
        if Bool.random(using: &random) {
            item["start"] = ["2077-02-27T09:00:00Z", "2077-02-27", "2077-02-27T09:00:00"][kind]
        }
        let isOpen = item["completed"] as? Bool == false
        if isOpen, Bool.random(using: &random) { item["snoozedUntil"] = "2077-03-01T10:00:00Z" }
        item["lastAlert"] = "2026-01-01T00:00:00Z"
        item["told"] = ["next": "2077-03-01T08:55:00Z"]
        guard number % 2 == 0 || kind == 0 else { return }
        item["recurrence"] = ["FREQ=DAILY;COUNT=30", "FREQ=DAILY", "FREQ=DAILY;UNTIL=20991231"][number % 3]
        if kind == 0 { item["timeZone"] = ["Europe/Berlin", "Asia/Kathmandu"][number % 2] }
        if Bool.random(using: &random) { item["afterDone"] = true }
        if Bool.random(using: &random) {
            item["recurrenceStart"] =
                ["2077-02-25T09:00:00Z", "2077-02-25T23:59:59Z", "2077-02-25T09:00:00Z"][kind]
            item["occurrencesDone"] = 4
        }
        if number % 4 > 0 {
            let time = ["T090000Z", "", "T090000"][kind]
            item["excludedDates"] = ["20770302\(time)", "20770304\(time)"]
            item["addedDates"] = ["20770402\(["T120000Z", "", "T120000"][kind])"]
            item["occurrences"] = [
                [
                    "recurrenceID": "20770303\(time)", "name": "Other", "notes": "Else", "priority": 2,
                    "due": ["2077-03-03T15:00:00Z", "2077-03-05", "2077-03-03T15:00:00"][kind],
                    "remainder": "X-A:1\r\n",
                ], ["recurrenceID": "20770306\(time)", "cancelled": true],
            ]
        }
        item["history"] = [["at": "2026-01-01T00:00:00Z", "due": "2026-01-01T00:00:00Z"]]
    }
}
