internal import CivilTime
internal import TodoAPI
internal import Varlink

/// A time in an export as JSON, with all its digits. The API truncates times to the microsecond.
///
/// A time outside the years 1 to 9999, which RFC 3339 cannot express, is the number of seconds since 1970.
struct ExportedMoment: FieldValue {
    static var varlinkType: String { Timestamp.varlinkType }
    static var expected: String { Timestamp.expected }

    let moment: Timestamp

    static func read(_ json: JSON, _ context: FieldReader.Context) -> ExportedMoment? {
        let moment =
            Double.read(json, context).map(Timestamp.init(secondsSince1970:)) ?? Timestamp.read(json, context)
        return moment.map(ExportedMoment.init)
    }

    func write(to writer: inout JSONWriter, zone: TimeZoneRules) {
        if let text = RFC3339.text(moment, in: zone, isExact: true) {
            writer.value(text)
        } else {
            writer.value(moment.secondsSince1970)
        }
    }
}

/// A moment with all its digits, or a date or a floating time, in an export as JSON.
struct ExportedTime: FieldValue {
    static var varlinkType: String { CalendarTime.varlinkType }
    static var expected: String { CalendarTime.expected }

    /// No time, which is written as an empty text.
    static let empty = ExportedTime()

    /// The moment, or `nil` for a local time.
    let moment: Timestamp?
    let local: LocalTime?

    private init() { (moment, local) = (nil, nil) }

    init(_ time: CalendarTime) {
        local = time.local
        if case .moment(let moment) = time { self.moment = moment } else { moment = nil }
    }

    init?(moment: Timestamp?, local: LocalTime?) {
        guard moment != nil || local != nil else { return nil }
        self.moment = local == nil ? moment : nil
        self.local = local
    }

    static func read(_ json: JSON, _ context: FieldReader.Context) -> ExportedTime? {
        if case .string("") = json { return .empty }
        if case .string(let text) = json, let local = LocalTime(text) {
            return ExportedTime(moment: nil, local: local)
        }
        return ExportedMoment.read(json, context).flatMap { ExportedTime(moment: $0.moment, local: nil) }
    }

    func write(to writer: inout JSONWriter, zone: TimeZoneRules) {
        if let local {
            writer.value(local.text)
        } else if let moment {
            ExportedMoment(moment: moment).write(to: &writer, zone: zone)
        } else {
            writer.value("")
        }
    }
}

extension FieldCoder {
    /// Codes a time that may be null or absent.
    mutating func exactField(_ name: String, _ moment: inout Timestamp?) throws(FieldError) {
        var exact = moment.map(ExportedMoment.init)
        try field(name, &exact)
        moment = exact?.moment
    }
}
