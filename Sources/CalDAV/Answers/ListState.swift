/// The state of a list on a server, which shows whether anything in the list has changed.
package struct ListState: Equatable, Sendable {
    /// A text that changes with every change of the list, or `nil` if the server has none.
    package let ctag: String?
    /// The token of the present state, or `nil` if the server has none.
    package let syncToken: String?
    /// The token to store after a complete listing. It may be older than `syncToken`.
    package let tokenAfterListing: String?
    package let supportsSyncCollection: Bool
    /// Whether the user may not change the list.
    package let isReadOnly: Bool
    /// The user as whom the server regards the client, or `nil` if it does not say so.
    package let principal: DAVURL?
    package let displayName: String?

    package init(
        ctag: String?, syncToken: String?, tokenAfterListing: String? = nil, supportsSyncCollection: Bool,
        isReadOnly: Bool = false, principal: DAVURL? = nil, displayName: String? = nil
    ) {
        self.ctag = ctag
        self.syncToken = syncToken
        self.tokenAfterListing = tokenAfterListing ?? syncToken
        self.supportsSyncCollection = supportsSyncCollection
        self.isReadOnly = isReadOnly
        self.principal = principal
        self.displayName = displayName
    }
}
