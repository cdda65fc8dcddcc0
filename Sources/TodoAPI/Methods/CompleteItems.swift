/// Marks items as done.
package enum CompleteItems: Method {
    package static let name = "CompleteItems"
    package typealias Parameters = ItemIDs
    package typealias Reply = ItemChanges
}
