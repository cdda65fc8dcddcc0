/// Moves repeating items to their next occurrence without completing the current one.
package enum SkipItems: Method {
    package static let name = "SkipItems"
    package typealias Parameters = ItemIDs
    package typealias Reply = ItemList
}
