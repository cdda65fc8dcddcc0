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

    /// The lists that do not accept tasks.
    package var otherLists: [RemoteList] { lists.filter { !$0.acceptsTasks } }

    /// Returns the lists that accept tasks.
    ///
    /// - Throws: `notForTasks` if the user gave the URL of a list that does not, or `noTaskLists` if there are none.
    package func taskLists() throws(CalDAVError) -> [RemoteList] {
        if let typedList, otherLists.contains(where: { $0.url.isSameResource(as: typedList) }) {
            throw .notForTasks(typedList)
        }
        let found = lists.filter(\.acceptsTasks)
        if found.isEmpty, let place = homes.first ?? principal ?? lists.first?.url {
            throw .noTaskLists(place)
        }
        return found
    }
}
