package import CalDAV

/// A server with lists of tasks, for one account. Every call blocks until the server has answered.
package protocol TaskServer {
    /// Finds the lists of the account. See `CalDAVClient.discover`.
    func discover(_ typed: String) throws(CalDAVError) -> Discovery
    /// Reads the state of a list in one small request.
    func state(of list: DAVURL) throws(CalDAVError) -> ListState
    /// Returns one page of the changes since a token, or of all items.
    func changes(in list: DAVURL, since token: String?) throws(CalDAVError) -> ChangePage
    /// Returns all items of a list without their texts.
    func entries(in list: DAVURL) throws(CalDAVError) -> [RemoteItem]
    /// Reads the texts of several items.
    func texts(_ hrefs: [DAVURL], in list: DAVURL) throws(CalDAVError) -> Texts
    /// Reads the text of an item, or returns `nil` if there is none.
    func text(at item: DAVURL) throws(CalDAVError) -> RemoteItem?
    /// Writes the text of an item. `etag` is the version to replace, or `nil` if the item must not exist.
    func put(_ text: String, at item: DAVURL, ifMatch etag: String?) throws(CalDAVError) -> String?
    /// Deletes this version of an item, and returns whether it existed.
    func delete(_ item: DAVURL, ifMatch etag: String) throws(CalDAVError) -> Bool
}

extension CalDAVClient: TaskServer {}
