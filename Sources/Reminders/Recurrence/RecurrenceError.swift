/// Why a text is no rule by which an item can come again, for the person who typed it.
package struct RecurrenceError: Error, Hashable, CustomStringConvertible {
    package let reason: String

    package var description: String { reason }
}
