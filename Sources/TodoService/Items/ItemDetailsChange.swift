internal import Reminders
internal import TodoAPI

/// The checked details of an item that a client sends and no other change has. A value that is `nil` changes nothing.
struct ItemDetailsChange {
    /// The lead times in seconds, or an empty list to remove them.
    let leads: [Int32]?
    private let priority: Int16?
    private let isMuted: Bool?
    /// The given texts, of which an empty one removes the old text.
    private let texts: [(field: ItemField.PlainText, text: String)]
    private let numbers: [(field: ItemField.PlainNumber, number: Int64)]

    init(_ details: ItemDetails) throws(APIError) {
        leads = try details.leads.map(TypedValue.leads)
        priority = try details.priority.map(TypedValue.priority)
        isMuted = details.muted
        var texts: [(ItemField.PlainText, String)] = []
        for field in ItemField.plainTexts {
            guard let text = details[keyPath: field.detail] else { continue }
            let name = field.field.rawValue
            texts.append((field, field.isURL ? try TypedValue.url(text, field: name) : text))
        }
        self.texts = texts
        var numbers: [(ItemField.PlainNumber, Int64)] = []
        for field in ItemField.plainNumbers {
            if let number = try Self.number(field.field, in: details) { numbers.append((field, number)) }
        }
        self.numbers = numbers
    }

    private static func number(_ field: ItemField, in details: ItemDetails) throws(APIError) -> Int64? {
        switch field.traits.detail {
        case .duration(let path, _, _):
            try details[keyPath: path].map { (text) throws(APIError) in
                try TypedValue.duration(text, field: field.rawValue)
            }
        case .percentage(let path, _, _):
            try details[keyPath: path].map { (number) throws(APIError) in
                try TypedValue.percentage(number, field: field.rawValue)
            }
        default: nil
        }
    }

    func apply(to item: ToDo) throws {
        for (field, text) in texts { item[field] = text.isEmpty ? nil : text }
        for (field, number) in numbers { item[field] = number }
        if let priority { item.priority = priority }
        if let leads { try item.setLeads(leads) }
        if let isMuted { item.doNotAlert = isMuted }
    }
}
