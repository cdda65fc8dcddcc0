/// The reason why a text is no rule by which an item can repeat.
package struct RecurrenceError: Error, Hashable, CustomStringConvertible {
    package let reason: String

    package var description: String { reason }
}
