extension ChangePage {
    /// Reads the answer to a sync-collection report about the changes since `token`.
    ///
    /// A row of the list itself, or the status 507 of any row, says that more changes follow (RFC 6578, section 3.6). Without one,
    /// the answer is complete.
    init(_ response: HTTPResponse, of list: DAVURL, since token: String?) throws(CalDAVError) {
        var changed: [RemoteItem] = []
        var deleted: [DAVURL] = []
        var hasMore = false
        var refusal: CalDAVError?
        let summary = try Multistatus.read(response) { (row) throws(XMLDocumentReader.Failure) in
            if row.status == 507 {
                hasMore = true
            } else if row.href.isSameResource(as: list) || row.href.isSameResource(as: response.url) {
                if let status = row.status, status >= 300 {
                    refusal = Refusal(row, status: status, of: list).error
                }
            } else {
                try row.requireServer(of: list)
                if row.status == 404 || row.status == 410 {
                    deleted.append(row.href)
                } else if !row.isCollection, !row.isOtherComponent {
                    // An item that the server cannot read has no etag here.
                    changed.append(RemoteItem(row))
                }
            }
        }
        if let refusal { throw refusal }
        guard let next = summary.syncToken else {
            throw .malformed(response.url, reason: "it has no sync token")
        }
        if hasMore, next == token {
            throw .malformed(response.url, reason: "more changes follow the same sync token")
        }
        self.init(changed: changed, deleted: deleted, token: next, hasMore: hasMore)
    }
}
