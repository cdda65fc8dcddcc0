/// Moves items that come again to their next time, without the open one having been done.
package enum SkipItems: Method {
    package static let name = "SkipItems"
    package typealias Parameters = ItemIDs
    package typealias Reply = ItemList
}
