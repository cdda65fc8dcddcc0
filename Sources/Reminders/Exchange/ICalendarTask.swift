internal import CLibical
internal import Glibc

/// A VTODO component, parsed by libical.
struct ICalendarTask {
    private let component: OpaquePointer
    /// The task's recurrence rule, as it is written.
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

    /// Returns the unescaped value of the first property of a kind, or `nil` if there is none.
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

    /// Returns the value of a property that only todod writes, or `nil` if there is none.
    func own(_ name: String) -> String? { ownProperty(name).flatMap(Self.text) }

    private func ownProperty(_ name: String) -> OpaquePointer? {
        properties(ICAL_X_PROPERTY).first { property in
            icalproperty_get_x_name(property).map { String(cString: $0) } == name
        }
    }

    /// Returns the exact text from a property of todod, or `nil` if the standard property has been changed since the
    /// export.
    func exact(_ name: String, beside property: String?) -> String? {
        own(name).flatMap(ICalendarExactText.readWithOptionalQuotes).flatMap {
            ICalendarExactText.matches($0, property) ? $0 : nil
        }
    }

    /// Returns the number of properties of a kind.
    func count(_ kind: icalproperty_kind) -> Int { properties(kind).count }

    // MARK: - Times

    /// The duration of the task in seconds.
    var duration: Int? {
        properties(ICAL_DURATION_PROPERTY).first.map {
            Int(icaldurationtype_as_int(icalproperty_get_duration($0)))
        }
    }

    /// Returns the time of a property as it is written, with the time zone that the file describes for it.
    func time(_ kind: icalproperty_kind) -> icaltimetype? {
        guard let property = properties(kind).first else { return nil }
        let time = icalproperty_get_datetime_with_component(property, component)
        return icaltime_is_null_time(time) != 0 ? nil : time
    }

    /// Whether the task has such a property, even if its value is not a time.
    ///
    /// libical removes a property with a value of the wrong type and adds an error in its place.
    func hasUnreadable(_ kind: icalproperty_kind, _ name: String) -> Bool {
        !properties(kind).isEmpty
            || properties(ICAL_XLICERROR_PROPERTY).compactMap(Self.text).contains {
                $0.contains(" \(name) property")
            }
    }

    /// Returns the location of a time's zone, or `nil` if the file does not describe the zone or its location.
    func zoneLocation(_ kind: icalproperty_kind) -> String? {
        guard let zone = time(kind)?.zone, let location = icaltimezone_get_location(.init(zone))
        else { return nil }
        return String(cString: location)
    }

    /// Returns the TZID of a time, as it is written.
    func zoneName(_ kind: icalproperty_kind) -> String? {
        properties(kind).first.flatMap { icalproperty_get_parameter_as_string($0, "TZID") }
            .map { String(cString: $0) }
    }

    /// The names of the properties that libical has removed because it cannot read their values.
    ///
    /// They include those of the task's alarms.
    var unreadableNames: [String] {
        var errors = properties(ICAL_XLICERROR_PROPERTY)
        var next = icalcomponent_get_first_component(component, ICAL_VALARM_COMPONENT)
        while let alarm = next {
            errors += ICalendarTask(alarm).properties(ICAL_XLICERROR_PROPERTY)
            next = icalcomponent_get_next_component(component, ICAL_VALARM_COMPONENT)
        }
        // A property without a value has an error, too, but nothing is lost with it.
        return errors.compactMap(Self.text).filter { $0.hasPrefix("Can't parse") }.compactMap { text in
            // "Can't parse as TRIGGER value in TRIGGER property. Removing entire property: junk"
            text.firstRange(of: " property").flatMap { text[..<$0.lowerBound].split(separator: " ").last }
                .map(String.init)
        }
    }

    // MARK: - Alarms

    struct Trigger {
        /// The time of the alarm, or `nil` if it is `seconds` after the start or the due time.
        let moment: icaltimetype?
        let seconds: Int
        let isFromStart: Bool
        /// The time of the alarm under a name of our own, or `nil` if it has none.
        let own: String?
        /// The seconds of the trigger when todod wrote `own`, or `nil` if the property has no such parameter.
        let ownSeconds: Int?

        /// Whether another program has given the alarm another time than the one in `own`.
        var isMoved: Bool { ownSeconds.map { moment != nil || $0 != seconds } ?? false }
    }

    /// The placeholder that other programs write for an alarm without a time.
    private static let noMoment = "19760401T005545Z"

    /// The triggers of alarms that have a time.
    ///
    /// Alarms for a place and alarms that are turned off are skipped.
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
                let own = ICalendarTask(alarm).ownProperty(ICalendarWriter.ownAlert)
                triggers.append(
                    Trigger(
                        moment: isMoment ? trigger.time : nil,
                        seconds: Self.seconds(of: trigger.duration),
                        isFromStart: related != "END",
                        own: own.flatMap(Self.text),
                        ownSeconds: own.flatMap {
                            icalproperty_get_parameter_as_string($0, ICalendarWriter.ownSeconds)
                        }.flatMap { Int(String(cString: $0)) }))
            }
            next = icalcomponent_get_next_component(component, ICAL_VALARM_COMPONENT)
        }
        return triggers
    }

    /// Returns the length of a duration, which may exceed the numbers of libical.
    private static func seconds(of duration: icaldurationtype) -> Int {
        let days = Int(duration.weeks) * 7 + Int(duration.days)
        let seconds =
            ((days * 24 + Int(duration.hours)) * 60 + Int(duration.minutes)) * 60 + Int(duration.seconds)
        return duration.is_neg == 0 ? seconds : -seconds
    }

    /// Whether the task has an alarm without a TRIGGER, even one that cannot be read.
    var hasAlarmWithoutTrigger: Bool {
        var next = icalcomponent_get_first_component(component, ICAL_VALARM_COMPONENT)
        while let alarm = next {
            if !ICalendarTask(alarm).hasUnreadable(ICAL_TRIGGER_PROPERTY, "TRIGGER") { return true }
            next = icalcomponent_get_next_component(component, ICAL_VALARM_COMPONENT)
        }
        return false
    }

    /// The number of alarms that other programs send at a place, not at a time.
    var placeAlarmCount: Int {
        var count = 0
        var next = icalcomponent_get_first_component(component, ICAL_VALARM_COMPONENT)
        while let alarm = next {
            if Self.isForPlace(alarm) { count += 1 }
            next = icalcomponent_get_next_component(component, ICAL_VALARM_COMPONENT)
        }
        return count
    }

    private static func isOff(_ alarm: OpaquePointer) -> Bool {
        ICalendarTask(alarm).text(ICAL_ACTION_PROPERTY) == "NONE" || isForPlace(alarm)
    }

    private static func isForPlace(_ alarm: OpaquePointer) -> Bool {
        let alarm = ICalendarTask(alarm)
        // libical does not know the property of RFC 9074, and replaces it by an error.
        return alarm.own("X-APPLE-PROXIMITY") != nil
            || alarm.properties(ICAL_XLICERROR_PROPERTY).compactMap(text).contains {
                $0.hasSuffix("property name: PROXIMITY")
            }
    }
}
