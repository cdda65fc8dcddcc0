internal import CivilTime
internal import Reminders
internal import TodoAPI

/// The tasks of an iCalendar file.
struct CalendarContent: ImportContent {
    private var reader: ICalendarReader
    private var index = 0
    private var isAtEnd = false

    init(_ text: String, zone: TimeZoneRules, defaultTime: Int) throws(APIError) {
        do throws(ICalendarReader.Failure) {
            reader = try ICalendarReader(text, zone: zone, defaultTime: defaultTime)
        } catch {
            throw .invalidValue(field: "text", reason: "\(error)")
        }
    }

    var itemCount: Int { reader.taskCount }

    mutating func nextItem() throws -> ImportedObject<ExportedItem>? {
        do throws(ICalendarReader.Failure) {
            guard var item = try reader.next() else {
                isAtEnd = true
                return nil
            }
            // iCalendar has no property for past occurrences of a task, or for the order of subtasks.
            item.missing.formUnion([.history, .position])
            defer { index += 1 }
            return ImportedObject(
                body: ExportedItem(item), place: "items[\(index)]", shownPlace: "line \(reader.line)")
        } catch {
            throw APIError.invalidValue(field: "text", reason: "\(error)")
        }
    }

    mutating func takeRemarks() -> [String] {
        reader.takeRemarks().map(\.description) + (isAtEnd ? reader.sums : [])
    }
}
