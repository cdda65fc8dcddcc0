internal import ObjectStore
internal import Reminders
internal import TodoAPI

extension ViewSummary {
    /// Creates the view with the query that the store keeps, which may be of a newer version.
    init(id: Int64, name: String, storedQuery: String) {
        self.init()
        self.id = id
        self.name = name
        do throws(FieldError) {
            query = try ViewQuery(json: storedQuery)
        } catch {
            problem = "\(error.field): \(error.reason)"
        }
    }

    init(_ view: SavedView) { self.init(id: view.id, name: view.name, storedQuery: view.query) }
}
