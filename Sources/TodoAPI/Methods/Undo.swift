/// Undoes the most recent changes.
package enum Undo: Method {
    package static let name = "Undo"
    package typealias Parameters = ChangeCount
    package typealias Reply = ChangeList
}
