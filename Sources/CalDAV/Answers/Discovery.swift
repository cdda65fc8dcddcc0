/// The result of the search for the lists of an account.
package struct Discovery: Equatable, Sendable {
    /// The URL of the user.
    package let principal: DAVURL?
    /// The collections that contain the user's lists.
    package let homes: [DAVURL]
    /// All lists in the homes, including those that do not accept tasks, and the list whose URL the user gave.
    package let lists: [RemoteList]
    /// The list whose URL the user gave, or `nil` if the user gave another URL.
    package let typedList: DAVURL?

    package init(
        principal: DAVURL?, homes: [DAVURL], lists: [RemoteList], typedList: DAVURL?
    ) {
        self.principal = principal
        self.homes = homes
        self.lists = lists
        self.typedList = typedList
    }

    /// Returns the lists that accept tasks, or throws `noTaskLists` if there are none.
    package func taskLists() throws(CalDAVError) -> [RemoteList] {
        let found = lists.filter(\.acceptsTasks)
        if found.isEmpty, let place = homes.first ?? principal ?? lists.first?.url {
            throw .noTaskLists(place)
        }
        return found
    }
}
