/// The numbers of occurrences of a repeating item that were done and skipped, and its streaks, in the API.
package struct HistoryCounts: NamedBody, Hashable {
    package static let varlinkType = "HistoryCounts"

    package var id: Int64 = 0
    package var uid = ""
    package var name = ""
    package var category: String?
    package var done: Int64 = 0
    package var skipped: Int64 = 0
    /// The length of the present streak.
    package var streak: Int64 = 0
    package var longestStreak: Int64 = 0

    package init() {}

    package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
        try fields.field("id", &id)
        try fields.field("uid", &uid)
        try fields.field("name", &name)
        try fields.field("category", &category)
        try fields.field("done", &done)
        try fields.field("skipped", &skipped)
        try fields.field("streak", &streak)
        try fields.field("longestStreak", &longestStreak)
    }
}
