/// The content of a text that is imported, read one object at a time.
///
/// Only the text and the current object are in memory. Errors of the text as a whole are found when the content is
/// created.
protocol ImportContent {
    /// The number of items, including those that are left out.
    var itemCount: Int { get }
    /// Returns the next category, or `nil` after the last one or in a format without categories.
    ///
    /// Must be called for all categories before the items.
    mutating func nextCategory() throws -> ImportedObject<ExportedCategory>?
    /// Returns the next tag, or `nil` after the last one or in a format that only has the tags of items.
    ///
    /// Must be called for all tags before the items.
    mutating func nextTag() throws -> ImportedObject<ExportedTag>?
    /// Returns the next view, or `nil` after the last one or in a format without views.
    mutating func nextView() throws -> ImportedObject<ExportedView>?
    /// Returns the next item, or `nil` after the last one.
    mutating func nextItem() throws -> ImportedObject<ExportedItem>?
    /// Returns the remarks on the items that were returned or left out since the last call.
    mutating func takeRemarks() -> [String]
}

extension ImportContent {
    mutating func nextCategory() -> ImportedObject<ExportedCategory>? { nil }
    mutating func nextTag() -> ImportedObject<ExportedTag>? { nil }
    mutating func nextView() -> ImportedObject<ExportedView>? { nil }
    mutating func takeRemarks() -> [String] { [] }
}

/// An object of a text, and its place there, such as `items[3]`.
struct ImportedObject<Body> {
    let body: Body
    let place: String
    /// The place as a person finds it, such as `line 12`, or `nil` if `place` is.
    var shownPlace: String?
}
