internal import ObjectStore
internal import Reminders

/// The lead times of all items that have their own. They are all read when the first one is requested.
final class LeadTimes {
    private let rows: RowStream
    /// The lead times in the order of the item IDs, and those of one item from the longest to the shortest.
    private var leads: [(item: Int64, seconds: Int32)]?

    /// Begins to read the lead times from the same state of the store as `items`.
    init(in context: ManagedObjectContext, beside items: RowStream) throws {
        rows = try context.stream(
            Alarm.all, of: [.key(\Alarm.toDo), .key(\Alarm.offset)], beside: items)
    }

    func leads(of item: Int64) throws -> [Int64] {
        let all = try leads ?? read()
        leads = all
        var low = 0
        var high = all.count
        while low < high {
            let middle = (low + high) / 2
            if all[middle].item < item { low = middle + 1 } else { high = middle }
        }
        return all[low...].prefix { $0.item == item }.map { Int64($0.seconds) }
    }

    private func read() throws -> [(item: Int64, seconds: Int32)] {
        var all: [(item: Int64, seconds: Int32)] = []
        while let row = try rows.next() {
            guard case .integer(let item) = row[0], case .integer(let seconds) = row[1] else { continue }
            all.append((item, Int32(clamping: seconds)))
        }
        return all.sorted { ($0.item, $1.seconds) < ($1.item, $0.seconds) }
    }
}
