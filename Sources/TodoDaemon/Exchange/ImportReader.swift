internal import CivilTime
internal import ObjectStore
internal import Reminders
internal import TodoAPI
internal import Varlink

/// Reads what is to be imported, in any of the formats; it needs nothing of the daemon, so it works on any queue.
struct ImportReader: Sendable {
    private let zone: TimeZoneRules
    private let defaultTime: Int
    private let store: StoreConfiguration

    init(_ workspace: Workspace) {
        zone = workspace.zone
        defaultTime = workspace.configuration.defaultTime
        store = workspace.store
    }

    /// What stands in a text, and what is to be said of it.
    func read(_ text: String, _ format: Import.Format) throws -> (ExportedStore, remarks: [String]) {
        // Other systems mark the text of a file as UTF-8 by its first character.
        let text = text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
        switch format {
        case .json: return (try readOwn(text), [])
        case .taskwarrior:
            let (items, remarks) = try TaskwarriorReader.read(try json(text))
            return (store(of: items), remarks)
        case .coredata:
            return (try CoreDataReader.read(text, in: WorkDirectory(beside: store)), [])
        case .icalendar:
            do throws(ICalendarReader.Failure) {
                let reading = try ICalendarReader.read(
                    text, zone: zone, defaultTime: defaultTime)
                return (store(of: reading.items), reading.remarks.map(\.description))
            } catch {
                throw APIError.invalidValue(field: "text", reason: "\(error)")
            }
        }
    }

    private func readOwn(_ text: String) throws -> ExportedStore {
        guard case .object(let object) = try json(text), object["todod"] != nil else {
            throw APIError.invalidValue(field: "text", reason: "expected what 'todoctl export' writes")
        }
        // Another version has other fields.
        if case .integer(let version)? = object["todod"], version != ExportedStore.version {
            throw APIError.invalidValue(
                field: "todod",
                reason: "this file is of version \(version); known is \(ExportedStore.version)")
        }
        return try FieldReader.read(ExportedStore.self, from: object)
    }

    private func json(_ text: String) throws(APIError) -> JSON {
        do throws(JSONError) {
            return try JSONParser.parse(text.utf8)
        } catch {
            throw .invalidValue(field: "text", reason: "it is not JSON: \(error)")
        }
    }

    private func store(of items: [ExchangeItem]) -> ExportedStore {
        var store = ExportedStore()
        store.items = items.map { item in
            var exported = ExportedItem()
            exported.item = item
            return exported
        }
        return store
    }
}
