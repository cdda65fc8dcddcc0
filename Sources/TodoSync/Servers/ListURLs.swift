internal import CalDAV

/// The URLs of the items of a list, as the store keeps them.
///
/// A server may write the URL of the list in another encoding than before. The store's URLs begin with the URL that the
/// store has for the list, so that each item has one URL.
struct ListURLs {
    let list: DAVURL
    private let prefix: String

    /// Creates the URLs of a list, or returns `nil` if the text is not a URL.
    init?(_ text: String) {
        guard let url = DAVURL(text) else { return nil }
        list = url
        prefix = url.asCollection.description
    }

    /// Returns the URL of an item as text.
    func text(of item: DAVURL) -> String {
        guard let slash = item.path.lastIndex(of: "/"), item.query == nil else { return item.description }
        let name = item.path[item.path.index(after: slash)...]
        let directory = item.description.dropLast(name.utf8.count)
        guard !name.isEmpty,
            directory == prefix || DAVURL(String(directory))?.isSameResource(as: list) == true
        else { return item.description }
        return prefix + name
    }

    /// Whether the URL is that of the list itself, which some servers mention among its items.
    func isList(_ item: DAVURL) -> Bool { item.isSameResource(as: list) }

    /// Returns a text that is the same for all encodings of the URL of an item.
    func key(of item: DAVURL) -> String { isMember(item) ? item.name : text(of: item) }

    /// Whether the URL is that of an item of the list.
    func isMember(_ item: DAVURL) -> Bool { text(of: item).hasPrefix(prefix) && !isList(item) }
}
