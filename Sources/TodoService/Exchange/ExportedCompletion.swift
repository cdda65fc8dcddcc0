internal import CivilTime
internal import Reminders
internal import TodoAPI

/// A completion of an occurrence in an export as JSON.
struct ExportedCompletion: NamedBody {
    static let varlinkType = "ExportedCompletion"

    private var at = ExportedMoment(moment: Timestamp(secondsSince1970: 0))
    private var due: ExportedTime?
    private var skipped: Bool?

    init() {}

    init(_ value: CompletionValue) {
        at = ExportedMoment(moment: value.date)
        due = value.due.map(ExportedTime.init)
        skipped = value.isSkipped ? true : nil
    }

    var value: CompletionValue {
        CompletionValue(
            date: at.moment, due: CalendarTime(moment: due?.moment, local: due?.local),
            isSkipped: skipped ?? false)
    }

    mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
        try fields.field("at", &at)
        try fields.field("due", &due)
        try fields.field("skipped", &skipped)
    }
}
