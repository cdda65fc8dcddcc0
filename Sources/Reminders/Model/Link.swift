package import ObjectStore

/// A link from an item to a page or a file.
package final class Link: ManagedObject {
    package override class var entityName: String { "Link" }

    @Attribute(.length(ReminderModel.urlLengths)) package var url: String
    @Attribute package var title: String?
    /// The media type, such as `application/pdf`.
    @Attribute package var mediaType: String?
    /// Whether the link leads to an attachment of the item.
    @Attribute package var isAttachment: Bool = false
    /// The position among the links of the item.
    @Attribute package var place: Int?
    @ToOne(optional: false) package var toDo: ToDo?
}
