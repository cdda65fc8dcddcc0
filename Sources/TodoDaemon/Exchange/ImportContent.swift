/// What stands in a text that is to be imported, handed out one object after the other: in memory are the text and the
/// object that is looked at.
///
/// Whatever can be known to be wrong with the text as a whole is found when the content is made.
protocol ImportContent {
    /// How many items there are, those that are left out among them.
    var itemCount: Int { get }
    /// Nil after the last category, and in what has none of their own. Ask for all of them before the items.
    mutating func nextCategory() throws -> Imported<ExportedCategory>?
    /// Nil after the last item.
    mutating func nextItem() throws -> Imported<ExportedItem>?
    /// What is to be said of the items that were handed out or left out since this was asked before.
    mutating func takeRemarks() -> [String]
}

extension ImportContent {
    mutating func nextCategory() -> Imported<ExportedCategory>? { nil }
    mutating func takeRemarks() -> [String] { [] }
}

/// An object of a text, and what it is called there: `items[3]`.
struct Imported<Body> {
    let body: Body
    let place: String
}
