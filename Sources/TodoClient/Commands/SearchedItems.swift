internal import TodoAPI

/// The items that a command searches, in the words of the message that none matches.
enum SearchedItems: String {
    case open = "open item"
    case waiting = "open item with a start in the future"
    case done = "item that is done"
    case all = "item"

    /// - Parameter state: the state to search, or `nil` if the predicate decides.
    init(_ state: ListItems.State?, _ predicate: String?) {
        self =
            switch state {
            case .open?: .open
            case .waiting?: .waiting
            case .completed?: .done
            case .all?: .all
            case nil: predicate?.contains("completed") == true ? .all : .open
            }
    }
}
