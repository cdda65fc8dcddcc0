/// Deletes items. Only `Undo` restores them.
package enum DeleteItems: Method {
    package static let name = "DeleteItems"
    package typealias Parameters = ItemIDs
    package typealias Reply = ItemList
}
