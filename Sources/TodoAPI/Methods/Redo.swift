/// Reapplies undone changes.
package enum Redo: Method {
    package static let name = "Redo"
    package typealias Parameters = ChangeCount
    package typealias Reply = ChangeList
}
