/// Deletes items; only `Undo` brings them back.
package enum DeleteItems: Method {
    package static let name = "DeleteItems"
    package typealias Parameters = ItemIDs
    package typealias Reply = ItemList
}
