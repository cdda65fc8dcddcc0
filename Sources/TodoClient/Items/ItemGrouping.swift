internal import CivilTime
internal import TodoAPI

/// The property by which a list of items is divided into groups with headings.
enum ItemGrouping: String, FieldChoice {
    case category, due, priority

    struct Group {
        /// The heading, or `nil` if the list has no headings.
        let title: String?
        var items: [Item]
    }

    /// The groups by due time, in the order in which they are printed.
    private enum Day: String, CaseIterable {
        case overdue = "Overdue"
        case today = "Today"
        case tomorrow = "Tomorrow"
        /// The days after tomorrow, until Sunday.
        case thisWeek = "This week"
        case later = "Later"
        case none = "No date"
        case past = "Done"
    }

    /// Returns the sort keys for the daemon, so that the groups are in order.
    ///
    /// `keys` are the sort keys within a group.
    func order(_ keys: [String]?) -> [String]? {
        // Groups by due time are in the order of `Day`, however the items are sorted.
        if self == .due { return keys }
        let keys = keys ?? ["due"]
        let first = keys.first.map { $0.hasPrefix("-") ? String($0.dropFirst()) : $0 }
        return first == rawValue ? keys : [rawValue] + keys
    }

    /// Returns the items in groups, within which they keep their order.
    func groups(of items: [Item], now: Timestamp, zone: TimeZoneRules) -> [Group] {
        var groups: [Group] = []
        var places: [String?: Int] = [:]
        for item in items {
            let name = name(of: item, now, zone)
            if let place = places[name] {
                groups[place].items.append(item)
            } else {
                places[name] = groups.count
                groups.append(Group(title: name ?? "No \(rawValue)", items: [item]))
            }
        }
        guard self == .due else { return groups }
        return Day.allCases.compactMap { day in places[day.rawValue].map { groups[$0] } }
    }

    private func name(of item: Item, _ now: Timestamp, _ zone: TimeZoneRules) -> String? {
        switch self {
        case .category: item.category?.oneLine()
        case .priority: item.priority == 0 ? nil : "Priority \(item.priority)"
        case .due: Self.day(of: item, now, zone).rawValue
        }
    }

    private static func day(of item: Item, _ now: Timestamp, _ zone: TimeZoneRules) -> Day {
        if item.completed { return .past }
        guard let due = item.due?.moment(in: zone) else { return .none }
        if due < now { return .overdue }
        guard let today = zone.civil(at: now)?.date, let date = zone.civil(at: due)?.date else {
            return .later
        }
        switch date.daysSince1970 - today.daysSince1970 {
        case 0: return .today
        case 1: return .tomorrow
        case let days: return days <= today.daysToSunday ? .thisWeek : .later
        }
    }
}

extension CivilDate {
    /// The number of days until Sunday. It is 0 on a Sunday.
    fileprivate var daysToSunday: Int {
        Weekday.allCases.count - 1 - (Weekday.allCases.firstIndex(of: weekday) ?? 0)
    }
}
