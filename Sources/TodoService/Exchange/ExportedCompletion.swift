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
        switch value.due {
        case nil: due = nil
        case .moment(let moment)?: due = ExportedTime(moment: moment, local: nil)
        case .local(let local)?: due = ExportedTime(moment: nil, local: local)
        }
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
