/// The result of a request for the texts of several items. Each requested item is in one of the three.
package struct Texts: Equatable, Sendable {
    /// An item that the server has but does not give.
    package struct Failure: Equatable, Sendable {
        package let href: DAVURL
        package let error: CalDAVError

        package init(href: DAVURL, error: CalDAVError) {
            (self.href, self.error) = (href, error)
        }
    }

    /// The items with their texts.
    package var found: [RemoteItem] = []
    /// The items that do not exist.
    package var missing: [DAVURL] = []
    package var failed: [Failure] = []

    package init() {}
}
