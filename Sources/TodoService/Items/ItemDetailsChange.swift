internal import Reminders
internal import TodoAPI

/// The checked details that a client sends for an item, except its schedule and its category. A value that is `nil`
/// changes nothing.
struct ItemDetailsChange {
    /// The lead times in seconds, or an empty list to remove them.
    let leads: [Int32]?
    private let priority: Int16?
    private let isMuted: Bool?
    /// The given texts, of which an empty one removes the old text.
    private let texts: [(field: ItemField.PlainText, text: String)]

    init(_ details: ItemDetails) throws(APIError) {
        leads = try details.leads.map(TypedValue.leads)
        priority = try details.priority.map(TypedValue.priority)
        isMuted = details.muted
        texts = ItemField.plainTexts.compactMap { field in
            details[keyPath: field.detail].map { (field, $0) }
        }
    }

    func apply(to item: ToDo) throws {
        for (field, text) in texts { item[field] = text.isEmpty ? nil : text }
        if let priority { item.priority = priority }
        if let leads { try item.setLeads(leads) }
        if let isMuted { item.doNotAlert = isMuted }
    }
}
