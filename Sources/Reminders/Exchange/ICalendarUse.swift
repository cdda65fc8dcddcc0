/// The purpose of an iCalendar text.
package enum ICalendarUse: Sendable {
    /// A file with items of all categories, for an import of any program.
    case file
    /// A resource of a list that several programs share. The list is the category, and the text has all values.
    case list
}
