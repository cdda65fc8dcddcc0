/// A call of a method in another program.
package struct BusCall: Sendable {
    package let destination: String
    package let path: String
    package let interface: String
    package let member: String
    package let arguments: [BusValue]

    package init(
        to destination: String, path: String, interface: String, member: String,
        arguments: [BusValue] = []
    ) {
        self.destination = destination
        self.path = path
        self.interface = interface
        self.member = member
        self.arguments = arguments
    }
}

/// The reason why a call failed.
package enum BusFailure: Error, Hashable, Sendable {
    /// There is no bus, as on many machines.
    case noBus
    /// The other program or the bus returned an error.
    case refused(name: String, message: String)
    /// No reply came in time.
    case noAnswer
    /// The connection ended before the reply, as happens at the end of a session.
    case lost
    /// The call or its reply is not a valid message.
    case malformed

    /// Whether the failure means that there is no program to answer the call.
    package var isAbsence: Bool {
        switch self {
        case .noBus, .lost: true
        case .refused(let name, _): Self.namesOfAbsence.contains(name)
        case .noAnswer, .malformed: false
        }
    }

    private static let namesOfAbsence: Set = [
        "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner",
    ]
}

extension BusFailure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noBus: "there is no session bus"
        case .refused(let name, let message): message.isEmpty ? name : message
        case .noAnswer: "there was no answer in time"
        case .lost: "the session bus was lost"
        case .malformed: "the answer has the wrong type"
        }
    }
}
