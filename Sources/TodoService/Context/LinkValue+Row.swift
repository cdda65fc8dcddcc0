internal import ObjectStore
internal import Reminders

extension LinkValue {
    /// The columns of a row from which a value is created.
    static let columns: [FetchColumn] = [
        .key(\Link.url), .key(\Link.title), .key(\Link.mediaType), .key(\Link.isAttachment),
    ]

    /// Creates the value from the `columns` that begin at a position, or returns `nil` if the URL is unreadable.
    init?(_ row: FetchedRow, at position: Int) {
        guard case .string(let url) = row[position] else { return nil }
        self.init(url: url)
        if case .string(let title) = row[position + 1] { self.title = title }
        if case .string(let type) = row[position + 2] { mediaType = type }
        isAttachment = row[position + 3] == .boolean(true)
    }
}
