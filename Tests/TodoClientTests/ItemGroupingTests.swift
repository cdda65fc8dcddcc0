import CivilTime
import Testing
import TodoAPI

@testable import TodoClient

@Suite struct ItemGroupingTests {
    /// Wednesday 18 November 2026, 12:00 UTC.
    private static let wednesday = Timestamp(secondsSince1970: 1_795_003_200)
    private static let day = 86_400.0

    private func item(_ id: Int64, due: Timestamp? = nil, category: String? = nil, priority: Int64 = 0)
        -> Item
    {
        var item = Item()
        (item.id, item.due, item.category, item.priority) = (
            id, due.map(CalendarTime.moment), category, priority
        )
        return item
    }

    private func titles(
        _ grouping: ItemGrouping, _ items: [Item], now: Timestamp = wednesday
    ) -> [String] {
        grouping.groups(of: items, now: now, zone: .utc).map { group in
            "\(group.title ?? "") \(group.items.map { "\($0.id)" }.joined(separator: " "))"
        }
    }

    @Test func daysAreInTheirOrderForAnySortKey() {
        let day = Self.day
        let dues = [nil, 5 * day, 4 * day, 2 * day, day + 43_199, day, 43_199, 0, -1, -400 * day]
        let items = dues.enumerated().map { index, seconds in
            item(Int64(index), due: seconds.map { Self.wednesday + $0 })
        }
        #expect(
            titles(.due, items) == [
                "Overdue 8 9", "Today 6 7", "Tomorrow 4 5", "This week 2 3", "Later 1", "No date 0",
            ])
        var done = item(10, due: Self.wednesday - 1)
        done.completed = true
        #expect(titles(.due, [done, item(11)]) == ["No date 11", "Done 10"])
    }

    /// `today` and `due` are days after Monday 16 November.
    @Test(arguments: [
        (0, 6, "This week 1"), (0, 7, "Later 1"), (4, 6, "This week 1"), (5, 6, "Tomorrow 1"),
        (5, 7, "Later 1"), (6, 7, "Tomorrow 1"), (6, 8, "Later 1"),
    ])
    func weekEndsOnSunday(today: Double, due: Double, title: String) {
        let monday = Self.wednesday - 2 * Self.day
        let now = monday + today * Self.day
        #expect(titles(.due, [item(1, due: monday + due * Self.day)], now: now) == [title])
    }

    @Test func daysDependOnTheTimeZone() throws {
        let zone = try #require(TimeZoneRules(named: "Asia/Tokyo"))
        // It is 23:30 in Tokyo.
        let now = Self.wednesday + 2.5 * 3_600
        let items = [item(1, due: now + 3_600)]
        #expect(zone.civil(at: now)?.hour == 23)
        #expect(
            ItemGrouping.due.groups(of: items, now: now, zone: zone).map(\.title) == [
                "Tomorrow"
            ])
        #expect(titles(.due, items, now: now) == ["Today 1"])
    }

    @Test func categoriesAndPrioritiesKeepTheOrderOfTheDaemon() {
        let items = [
            item(1, category: "Äpfel", priority: 2), item(2, category: "No category", priority: 9),
            item(3, category: "Äpfel"), item(4, priority: 2),
        ]
        #expect(titles(.category, items) == ["Äpfel 1 3", "No category 2", "No category 4"])
        #expect(titles(.priority, items) == ["Priority 2 1 4", "Priority 9 2", "No priority 3"])
        #expect(titles(.category, []).isEmpty)
    }

    @Test func groupIsTheFirstSortKey() {
        #expect(ItemGrouping.due.order(nil) == nil)
        #expect(ItemGrouping.due.order(["name"]) == ["name"])
        #expect(ItemGrouping.category.order(nil) == ["category", "due"])
        #expect(ItemGrouping.priority.order(["-name"]) == ["priority", "-name"])
        #expect(ItemGrouping.category.order(["-category", "due"]) == ["-category", "due"])
    }

    // MARK: - The table

    @Test func headingPrecedesItsRows() {
        let table = TextTable(
            columns: [.init("ID", alignment: .right), .init("WHEN", dropRank: 1), .init("ITEM")],
            rows: [
                .init(cells: ["1", "now", "x"], heading: "Overdue (1)"),
                .init(
                    cells: ["10", "later", "a name that is much too long"],
                    heading: "A heading of many words (2)"),
                .init(cells: ["2", "later", "y"]),
            ])
        #expect(
            table.text(for: .init(columns: 22, hasColour: false)) == """
                ID  ITEM

                Overdue (1)
                 1  x

                A heading of many wor…
                10  a name that is mu…
                 2  y
                """)
        #expect(
            table.text(for: .init(columns: nil, hasColour: true)).contains(
                "\n\n\u{1B}[1mOverdue (1)\u{1B}[0m\n"))
    }
}
