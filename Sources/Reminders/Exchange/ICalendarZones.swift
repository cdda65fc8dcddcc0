internal import CivilTime

/// The time zones that a calendar names, each of which is looked up once.
final class ICalendarZones {
    private var known: [String: TimeZoneRules?] = [:]

    /// Returns the time zone of a TZID, or `nil` if this machine does not know it.
    ///
    /// A TZID is an IANA name, or one after the prefix of a program: `/freeassociation.sourceforge.net/Europe/Berlin`.
    func zone(named name: String) -> TimeZoneRules? {
        if let zone = known[name] { return zone }
        let zone = TimeZoneRules(named: name) ?? Self.zone(afterMarkIn: name)
        known[name] = .some(zone)
        return zone
    }

    private static func zone(afterMarkIn name: String) -> TimeZoneRules? {
        guard name.hasPrefix("/") else { return nil }
        var rest = name.dropFirst()
        while let slash = rest.firstIndex(of: "/") {
            rest = rest[rest.index(after: slash)...]
            if let zone = TimeZoneRules(named: String(rest)) { return zone }
        }
        return nil
    }
}
