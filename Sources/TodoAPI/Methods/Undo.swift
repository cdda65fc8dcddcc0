/// Takes back what was changed last.
package enum Undo: Method {
    package static let name = "Undo"
    package typealias Parameters = ChangeCount
    package typealias Reply = ChangeList
}
