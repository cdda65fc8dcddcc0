extension RemoteItem {
    init(_ row: MultistatusRow) {
        self.init(href: row.href, etag: row.text("D:getetag"), text: row.property("C:calendar-data")?.text)
    }
}

/// Reads the listing of a list row by row.
struct ItemListing {
    private(set) var items: [RemoteItem] = []
    /// Whether the row of the list itself was there. Without it, an answer could be a part of the listing.
    private(set) var hasList = false
    /// The refusal of the whole request.
    private(set) var refusal: CalDAVError?
    private var isEmpty = true

    mutating func add(_ row: MultistatusRow, of list: DAVURL) throws(XMLDocumentReader.Failure) {
        try row.requireServer(of: list)
        defer { isEmpty = false }
        let isList = row.href.isSameResource(as: list)
        if let status = row.status, status >= 300 {
            if isEmpty || isList {
                refusal = Refusal(row, status: status, of: list).error
            } else if status != 404, status != 410 {
                // An item that the server cannot read is not deleted.
                items.append(RemoteItem(href: row.href, etag: nil))
            }
        } else if row.isCollection || isList {
            hasList = true
        } else if !row.isOtherComponent {
            items.append(RemoteItem(row))
        }
    }
}

extension MultistatusRow {
    /// Throws if the resource is not on the server of the list.
    func requireServer(of list: DAVURL) throws(XMLDocumentReader.Failure) {
        guard href.isSameOrigin(as: list) else { throw .init(reason: "\(href) is on another server") }
    }
}
