internal import CivilTime
internal import ObjectStore
internal import Reminders

/// The alarms of all items that have their own. They are all read when the first one is requested.
final class AlarmRows {
    /// The columns of an alarm, after the ID of its item.
    static let columns: [FetchColumn] = [.key(\Alarm.anchor), .key(\Alarm.offset), .key(\Alarm.date)]

    private let rows: RowStream
    /// The alarms in the order of the item IDs, and those of one item in their order.
    private var alarms: [(item: Int64, time: AlarmTime)]?

    /// Begins to read the alarms from the same state of the store as `items`.
    init(in context: ManagedObjectContext, beside items: RowStream) throws {
        rows = try context.stream(Alarm.all, of: [.key(\Alarm.toDo)] + Self.columns, beside: items)
    }

    func times(of item: Int64) throws -> [AlarmTime] {
        let all = try alarms ?? read()
        alarms = all
        var low = 0
        var high = all.count
        while low < high {
            let middle = (low + high) / 2
            if all[middle].item < item { low = middle + 1 } else { high = middle }
        }
        return all[low...].prefix { $0.item == item }.map(\.time)
    }

    private func read() throws -> [(item: Int64, time: AlarmTime)] {
        var all: [(item: Int64, time: AlarmTime)] = []
        while let row = try rows.next() {
            guard case .integer(let item) = row[0], let time = AlarmTime(row, at: 1) else { continue }
            all.append((item, time))
        }
        return all.sorted { $0.item == $1.item ? $0.time < $1.time : $0.item < $1.item }
    }
}

extension AlarmTime {
    /// Creates a time from the values of `AlarmRows.columns` in a row, the first of which is at `position`.
    init?(_ row: FetchedRow, at position: Int) {
        guard case .integer(let offset) = row[position + 1] else { return nil }
        self.init(
            Alarm.Anchor(attributeValue: row[position]) ?? .due, offset: Int32(clamping: offset),
            date: Timestamp(attributeValue: row[position + 2]))
    }
}
