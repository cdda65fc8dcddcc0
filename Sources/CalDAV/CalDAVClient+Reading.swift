extension CalDAVClient {
    private static let hrefsPerReport = 100

    /// Returns the changes of a list since a token, or all items without their texts if the token is `nil`.
    ///
    /// Some servers leave out the texts of changes, too. Others answer an unknown token with all items and without those that
    /// were deleted, as if the token were `nil`. Therefore compare `entries(in:)` with the local items from time to time.
    ///
    /// - Throws: `tokenExpired` if the server does not know the token.
    package func changes(in list: DAVURL, since token: String?) throws(CalDAVError) -> ChangePage {
        let properties = ["D:getetag", "D:getcontenttype"]
        if token == nil { return try changes(in: list, since: nil, properties) }
        do {
            return try changes(in: list, since: token, properties + ["C:calendar-data"])
        } catch .answerTooLarge {
            return try changes(in: list, since: token, properties)
        }
    }

    private func changes(in list: DAVURL, since token: String?, _ properties: [String]) throws(CalDAVError)
        -> ChangePage
    {
        let response: HTTPResponse
        do {
            response = try connection(to: list).report(
                list, depth: 0, XMLBody.syncCollection(token: token, properties),
                secondsLimit: http.options.reportSeconds,
                bodyBytesLimit: properties.contains("C:calendar-data") ? nil : http.options.listingBytesLimit)
        } catch .server(let url, let status, _) where status == 500 && token != nil {
            // Old versions of Xandikos answer an unknown token with status 500.
            throw .tokenExpired(url)
        }
        return try ChangePage(response, of: list, since: token)
    }

    /// Returns all items of a list without their texts. Items that the server marks as events are left out.
    ///
    /// - Throws: `malformed` also if the answer does not contain the list itself, because it would look like an empty list.
    package func entries(in list: DAVURL) throws(CalDAVError) -> [RemoteItem] {
        var listing = ItemListing()
        let url = try connection(to: list).propfind(
            list, depth: 1, ["D:getetag", "D:getcontenttype", "D:resourcetype"],
            bodyBytesLimit: http.options.listingBytesLimit,
            secondsLimit: http.options.reportSeconds
        ) { (row) throws(XMLDocumentReader.Failure) in try listing.add(row, of: list) }
        if let refusal = listing.refusal { throw refusal }
        guard listing.hasList else {
            throw .malformed(url, reason: "the list itself is not in its listing")
        }
        return listing.items
    }

    /// Reads the texts of several items in few requests. A server that does not support this is asked for each item.
    ///
    /// - Throws: an error that concerns all items. One that concerns a single item is in the result.
    package func texts(_ hrefs: [DAVURL], in list: DAVURL) throws(CalDAVError) -> Texts {
        var texts = Texts()
        var rest = hrefs[...]
        while !rest.isEmpty {
            try addTexts(Array(rest.prefix(Self.hrefsPerReport)), in: list, to: &texts)
            rest = rest.dropFirst(Self.hrefsPerReport)
        }
        return texts
    }

    private func addTexts(_ hrefs: [DAVURL], in list: DAVURL, to texts: inout Texts) throws(CalDAVError) {
        let rows: [DAVURL: MultistatusRow]
        do {
            rows = try multiget(hrefs, in: list)
        } catch .answerTooLarge where hrefs.count > 1 {
            try addTexts(Array(hrefs.prefix(hrefs.count / 2)), in: list, to: &texts)
            return try addTexts(Array(hrefs.dropFirst(hrefs.count / 2)), in: list, to: &texts)
        } catch  where error.isAboutOneItem {
            rows = [:]
        }
        for href in hrefs {
            if let row = rows[href], let text = row.property("C:calendar-data")?.text {
                texts.found.append(RemoteItem(href: href, etag: row.text("D:getetag"), text: text))
            } else if let status = rows[href]?.status, status == 404 || status == 410 {
                texts.missing.append(href)
            } else {
                // The row is missing or has no text.
                try addText(at: href, to: &texts)
            }
        }
    }

    private func multiget(_ hrefs: [DAVURL], in list: DAVURL) throws(CalDAVError) -> [DAVURL: MultistatusRow]
    {
        let response = try connection(to: list).report(
            list, depth: 1, XMLBody.multiget(hrefs), secondsLimit: http.options.reportSeconds)
        var rows: [DAVURL: MultistatusRow] = [:]
        _ = try Multistatus.read(response) { rows[$0.href] = $0 }
        return rows
    }

    private func addText(at href: DAVURL, to texts: inout Texts) throws(CalDAVError) {
        do {
            if let item = try text(at: href) { texts.found.append(item) } else { texts.missing.append(href) }
        } catch  where error.isAboutOneItem {
            texts.failed.append(Texts.Failure(href: href, error: error))
        }
    }

    /// Reads the text of an item as the server stores it, or returns `nil` if there is none.
    package func text(at item: DAVURL) throws(CalDAVError) -> RemoteItem? {
        let response = try connection(to: item).send(
            HTTPRequest("GET", item, headers: [("Accept", "text/calendar")]))
        switch response.status {
        case 200: break
        case 404, 410: return nil
        default: throw Refusal(response).error
        }
        let (text, isValid) = FoldedBytes.text(response.body)
        guard text.trimmingSpace.prefix(64).uppercased().contains("BEGIN:VCALENDAR") else {
            throw .malformed(response.url, reason: "it is not an iCalendar text")
        }
        return RemoteItem(
            href: item, etag: response.header("ETag"), text: text, hasInvalidBytes: !isValid)
    }
}
