internal import CivilTime
internal import Reminders
internal import Varlink

extension Alert {
    /// The limit at which a variable is truncated. The kernel accepts at most 128 KiB. The JSON is never truncated.
    static let variableBytesLimit = 100_000

    /// Returns `{"alert":"due-soon","id":3,"uid":"…","name":"Pay the rent",…}`, without the members that have no
    /// value.
    func json(now: Timestamp, zone: TimeZoneRules) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { object in
            object.member("alert", kind.rawValue)
            object.name("id")
            object.value(itemID)
            object.member("uid", uid)
            object.member("name", name)
            object.member("due", dueTime?.text(in: zone))
            object.member("category", category)
            if priority > 0 {
                object.name("priority")
                object.value(Int64(priority))
            }
            object.member("message", message(now: now, zone: zone))
        }
        return writer.bytes
    }

    /// Returns the environment variables of a command: the fields of the journal entry, and the message.
    ///
    /// A NUL, which a variable cannot contain, becomes U+FFFD. A value is truncated at `variableBytesLimit`.
    func variables(now: Timestamp, zone: TimeZoneRules) -> [(name: String, value: String)] {
        let all = fields(zone: zone) + [(name: "TODO_MESSAGE", value: message(now: now, zone: zone))]
        return all.map { (name: $0.name, value: Self.variable($0.value)) }
    }

    private static func variable(_ text: String) -> String {
        guard text.utf8.contains(0) || text.utf8.count > variableBytesLimit else { return text }
        var variable = String.UnicodeScalarView()
        var room = variableBytesLimit
        for scalar in text.unicodeScalars {
            let carried: Unicode.Scalar = scalar == "\0" ? "\u{FFFD}" : scalar
            room -= UTF8.width(carried)
            if room < 0 { break }
            variable.append(carried)
        }
        return String(variable)
    }
}

extension JSONWriter {
    fileprivate mutating func member(_ name: String, _ text: String?) {
        guard let text else { return }
        self.name(name)
        value(text)
    }
}
