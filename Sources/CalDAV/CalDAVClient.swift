/// A client of one CalDAV account. Every call blocks until the server has answered.
///
/// The password is sent to the server whose URL is passed to a call. During discovery it is also sent to the servers that
/// the typed address, its SRV record, or the typed server itself names, if they are encrypted and belong to the same domain.
package struct CalDAVClient {
    let http: HTTPClient
    let credentials: Credentials?

    package init(http: HTTPClient, credentials: Credentials?) {
        (self.http, self.credentials) = (http, credentials)
    }

    /// Finds the lists of an account.
    ///
    /// - Parameter typed: a host, a mail address, or the URL of a server, a principal, a home or a list.
    package func discover(_ typed: String) throws(CalDAVError) -> Discovery {
        throw .badAddress(typed)
    }

    /// Returns all lists in the homes of an account, including those that do not accept tasks.
    package func lists(in homes: [DAVURL]) throws(CalDAVError) -> [RemoteList] {
        []
    }

    /// Reads the state of a list in one small request.
    ///
    /// - Throws: `notFound` if there is no list at the URL.
    package func state(of list: DAVURL) throws(CalDAVError) -> ListState {
        throw .notFound(list)
    }

    /// Returns the changes of a list since a token, or all items if the token is `nil`.
    ///
    /// Some servers leave out the texts. Some do not report an item that is missing from the server after they forgot the token,
    /// so compare `entries(in:)` with the local items from time to time.
    ///
    /// - Throws: `tokenExpired` if the server does not know the token.
    package func changes(in list: DAVURL, since token: String?) throws(CalDAVError) -> ChangePage {
        throw .notFound(list)
    }

    /// Returns all items of a list without their texts. Items that the server marks as events are left out.
    package func entries(in list: DAVURL) throws(CalDAVError) -> [RemoteItem] {
        throw .notFound(list)
    }

    /// Reads the texts of several items in few requests.
    package func texts(_ hrefs: [DAVURL], in list: DAVURL) throws(CalDAVError) -> Texts {
        throw .notFound(list)
    }

    /// Reads the text of an item as the server stores it, or returns `nil` if there is none.
    package func text(at item: DAVURL) throws(CalDAVError) -> RemoteItem? {
        nil
    }

    /// Writes the text of an item.
    ///
    /// - Parameters:
    ///   - text: the iCalendar text.
    ///   - item: the URL of the item.
    ///   - etag: the etag of the version that is replaced, or `nil` to create an item that must not exist.
    /// - Returns: the new etag, or `nil` if the server gave none that is strong. The server may have changed the text in spite of it.
    /// - Throws: `preconditionFailed` if another version is on the server. That also happens if a lost attempt of the same call
    ///   has succeeded.
    package func put(_ text: String, at item: DAVURL, ifMatch etag: String?) throws(CalDAVError) -> String? {
        throw .notFound(item)
    }

    /// Deletes an item. Returns whether it existed.
    ///
    /// - Throws: `preconditionFailed` if another version is on the server.
    package func delete(_ item: DAVURL, ifMatch etag: String) throws(CalDAVError) -> Bool {
        throw .notFound(item)
    }

    /// Creates a list for tasks and returns its URL.
    package func makeList(named name: String, in home: DAVURL) throws(CalDAVError) -> DAVURL {
        throw .notFound(home)
    }
}
