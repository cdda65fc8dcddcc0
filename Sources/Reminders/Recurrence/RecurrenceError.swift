/// The reason why a text is not a valid recurrence rule.
package struct RecurrenceError: Error, Hashable, CustomStringConvertible {
    package let reason: String

    package var description: String { reason }
}
