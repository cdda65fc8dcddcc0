internal import ObjectStore
internal import Phrases
internal import Reminders
internal import TodoAPI

/// The checked changes of the links of items that a client sends.
struct LinksChange: Sendable {
    /// The links that replace all former ones, or `nil` to keep those.
    private let all: [LinkValue]?
    private let added: [LinkValue]
    /// The URLs of links to remove, or their numbers.
    private let removed: [String]

    /// Creates the change. A list that is `nil` changes nothing.
    init(
        replacing all: [ItemLink]?, adding added: [ItemLink]? = nil, removing removed: [String]? = nil
    ) throws(APIError) {
        if all != nil, added != nil || removed != nil {
            throw .invalidValue(
                field: added == nil ? "removeLinks" : "addLinks",
                reason: "'links' replaces all of them; use one of the two")
        }
        self.all = try all.map { (links) throws(APIError) in try TypedValue.links(links, field: "links") }
        self.added = try TypedValue.links(added ?? [], field: "addLinks")
        self.removed = (removed ?? []).map { String($0.trimmed) }
        let urls = Set(self.removed.map { Array($0.utf8) })
        if let both = self.added.first(where: { urls.contains(Array($0.url.utf8)) }) {
            throw .invalidValue(field: "removeLinks", reason: "'\(both.url)' is in 'addLinks', too")
        }
    }

    /// Changes the links of an item.
    ///
    /// - Parameter isAlone: whether it is the only item of the call. A link that one of several items does not have is no
    ///   error, and numbers are refused.
    /// - Throws: `InvalidValue` for a link to remove that the item does not have, and for too many links.
    func apply(to item: ToDo, isAlone: Bool) throws {
        if let all { return try item.setLinks(all) }
        guard !added.isEmpty || !removed.isEmpty else { return }
        let present = item.linkValues
        var dropped: Set<[UInt8]> = []
        for text in removed {
            if let url = try url(text, among: present, of: item, isAlone: isAlone) {
                dropped.insert(Array(url.utf8))
            }
        }
        var links = present.filter { !dropped.contains(Array($0.url.utf8)) }
        for link in added {
            guard let index = links.firstIndex(where: { $0.hasURL(link.url) }) else {
                links.append(link)
                continue
            }
            links[index].title = link.title ?? links[index].title
            links[index].mediaType = link.mediaType ?? links[index].mediaType
            links[index].isAttachment = link.isAttachment || links[index].isAttachment
        }
        guard links.count <= ReminderModel.linksLimit else {
            throw TypedValue.tooManyLinks("addLinks", item: item.isInserted ? nil : item.id)
        }
        try item.setLinks(links)
    }

    /// Returns the URL of a link to remove, or `nil` if one of several items does not have it.
    private func url(
        _ text: String, among links: [LinkValue], of item: ToDo, isAlone: Bool
    ) throws(APIError) -> String? {
        if let number = Int(text) {
            guard isAlone else {
                throw .invalidValue(
                    field: "removeLinks",
                    reason: "the number of a link works with a single item only; use its URL")
            }
            if links.indices.contains(number - 1) { return links[number - 1].url }
        } else if links.contains(where: { $0.hasURL(text) }) {
            return text
        } else if !isAlone {
            return nil
        }
        let count = links.count == 1 ? "1 link" : "\(links.count == 0 ? "no" : "\(links.count)") links"
        throw .invalidValue(
            field: "removeLinks",
            reason: "item \(item.id) has no link '\(text)'; it has \(count)"
                + (links.isEmpty ? "" : ", which 'todoctl show \(item.id)' lists"))
    }
}
