/// Marks items as not done.
package enum ReopenItems: Method {
    package static let name = "ReopenItems"
    package typealias Parameters = ItemIDs
    package typealias Reply = ItemList
}
