/// A list on a server: a calendar collection.
package struct RemoteList: Equatable, Sendable {
    package let url: DAVURL
    /// The name for people, or the last part of the URL if the server has none.
    package let name: String
    /// The color as the server wrote it, such as `#FF2968FF`.
    package let color: String?
    /// The position among the other lists.
    package let order: Int?
    /// Whether the list may contain tasks. A server that does not say which components a list accepts accepts all.
    package let acceptsTasks: Bool
    /// Whether the user may not change the list.
    package let isReadOnly: Bool
    package let ctag: String?
    package let syncToken: String?

    package init(
        url: DAVURL, name: String, color: String? = nil, order: Int? = nil, acceptsTasks: Bool = true,
        isReadOnly: Bool = false, ctag: String? = nil, syncToken: String? = nil
    ) {
        self.url = url
        self.name = name
        self.color = color
        self.order = order
        self.acceptsTasks = acceptsTasks
        self.isReadOnly = isReadOnly
        self.ctag = ctag
        self.syncToken = syncToken
    }
}
