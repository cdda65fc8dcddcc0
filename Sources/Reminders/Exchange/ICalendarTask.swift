internal import CLibical
internal import Glibc

/// A VTODO as libical has read it.
struct ICalendarTask {
    private let component: OpaquePointer
    /// The rule by which the task repeats, as it is written.
    let ruleText: String?

    init(_ component: OpaquePointer, ruleText: String? = nil) {
        self.component = component
        self.ruleText = ruleText
    }

    private func properties(_ kind: icalproperty_kind) -> [OpaquePointer] {
        var properties: [OpaquePointer] = []
        var next = icalcomponent_get_first_property(component, kind)
        while let property = next {
            properties.append(property)
            next = icalcomponent_get_next_property(component, kind)
        }
        return properties
    }

    // MARK: - Values

    /// The value of the first property of a kind, without the escapes of the format.
    func text(_ kind: icalproperty_kind) -> String? {
        properties(kind).first.flatMap(Self.text)
    }

    private static func text(_ property: OpaquePointer) -> String? {
        let value = icalproperty_get_value(property)
        if let text = icalvalue_get_text(value), icalvalue_isa(value) == ICAL_TEXT_VALUE {
            return String(cString: text)
        }
        guard let text = icalproperty_get_value_as_string_r(property) else { return nil }
        defer { free(text) }
        return String(cString: text)
    }

    /// The value of a property that only we write.
    func own(_ name: String) -> String? {
        properties(ICAL_X_PROPERTY).first { property in
            icalproperty_get_x_name(property).map { String(cString: $0) } == name
        }.flatMap(Self.text)
    }

    /// The text of one of our properties, where what stands in the standard's own is still what we wrote there.
    func exact(_ name: String, beside property: String?) -> String? {
        own(name).flatMap(ICalendarExactText.read).flatMap {
            ICalendarExactText.matches($0, property) ? $0 : nil
        }
    }

    /// All of them; libical makes a property of each.
    var categories: [String] {
        properties(ICAL_CATEGORIES_PROPERTY).compactMap(Self.text).filter { !$0.isEmpty }
    }

    /// How many properties of a kind there are.
    func count(_ kind: icalproperty_kind) -> Int { properties(kind).count }

    /// Whether single times are added to those of its rule, or left out.
    var hasSingleTimes: Bool {
        [ICAL_RDATE_PROPERTY, ICAL_EXDATE_PROPERTY, ICAL_EXRULE_PROPERTY].contains { count($0) > 0 }
    }

    // MARK: - Times

    /// From its start to its end.
    var duration: Int? {
        properties(ICAL_DURATION_PROPERTY).first.map {
            Int(icaldurationtype_as_int(icalproperty_get_duration($0)))
        }
    }

    /// As it is written; with the zone that the file describes for it.
    func time(_ kind: icalproperty_kind) -> icaltimetype? {
        guard let property = properties(kind).first else { return nil }
        let time = icalproperty_get_datetime_with_component(property, component)
        return icaltime_is_null_time(time) != 0 ? nil : time
    }

    /// Whether there is such a property with a value of another kind, which libical takes out and leaves a note of.
    func hasUnreadable(_ kind: icalproperty_kind, _ name: String) -> Bool {
        !properties(kind).isEmpty
            || properties(ICAL_XLICERROR_PROPERTY).compactMap(Self.text).contains {
                $0.contains(" \(name) property")
            }
    }

    /// Where the zone of a time is, if the file describes it and says so.
    func zoneLocation(_ kind: icalproperty_kind) -> String? {
        guard let zone = time(kind)?.zone, let location = icaltimezone_get_location(.init(zone))
        else { return nil }
        return String(cString: location)
    }

    /// The TZID of a time, as it is written.
    func zoneName(_ kind: icalproperty_kind) -> String? {
        properties(kind).first.flatMap { icalproperty_get_parameter_as_string($0, "TZID") }
            .map { String(cString: $0) }
    }

    /// The names of the properties, and of those of its alarms, whose values libical cannot read and has taken out.
    var unreadableNames: [String] {
        var errors = properties(ICAL_XLICERROR_PROPERTY)
        var next = icalcomponent_get_first_component(component, ICAL_VALARM_COMPONENT)
        while let alarm = next {
            errors += ICalendarTask(alarm).properties(ICAL_XLICERROR_PROPERTY)
            next = icalcomponent_get_next_component(component, ICAL_VALARM_COMPONENT)
        }
        // A property without any value has an error too, and nothing is lost with it.
        return errors.compactMap(Self.text).filter { $0.hasPrefix("Can't parse") }.compactMap { text in
            // "Can't parse as TRIGGER value in TRIGGER property. Removing entire property: junk"
            text.firstRange(of: " property").flatMap { text[..<$0.lowerBound].split(separator: " ").last }
                .map(String.init)
        }
    }

    // MARK: - Alarms

    struct Trigger {
        /// A moment of its own; nil when `seconds` from the start or the end count.
        let moment: icaltimetype?
        let seconds: Int
        let isFromStart: Bool
    }

    /// What other programs write where a date is wanted and there is none to tell.
    private static let noMoment = "19760401T005545Z"

    /// Of the alarms that come at some time: not of those at some place, or that are switched off.
    var triggers: [Trigger] {
        var triggers: [Trigger] = []
        var next = icalcomponent_get_first_component(component, ICAL_VALARM_COMPONENT)
        while let alarm = next {
            if let property = icalcomponent_get_first_property(alarm, ICAL_TRIGGER_PROPERTY),
                Self.text(property) != Self.noMoment, !Self.isOff(alarm)
            {
                let trigger = icalproperty_get_trigger(property)
                let isMoment = icaltime_is_null_time(trigger.time) == 0
                let related = icalproperty_get_parameter_as_string(property, "RELATED").map {
                    String(cString: $0)
                }
                triggers.append(
                    Trigger(
                        moment: isMoment ? trigger.time : nil,
                        seconds: Int(icaldurationtype_as_int(trigger.duration)), isFromStart: related != "END"
                    ))
            }
            next = icalcomponent_get_next_component(component, ICAL_VALARM_COMPONENT)
        }
        return triggers
    }

    private static func isOff(_ alarm: OpaquePointer) -> Bool {
        let alarm = ICalendarTask(alarm)
        return alarm.text(ICAL_ACTION_PROPERTY) == "NONE" || alarm.own("X-APPLE-PROXIMITY") != nil
    }
}
