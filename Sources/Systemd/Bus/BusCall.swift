/// A call of a method of another program.
package struct BusCall: Sendable {
    package let destination: String
    package let path: String
    package let interface: String
    package let member: String
    package let arguments: [BusValue]

    package init(
        _ destination: String, _ path: String, _ interface: String, _ member: String,
        _ arguments: [BusValue] = []
    ) {
        self.destination = destination
        self.path = path
        self.interface = interface
        self.member = member
        self.arguments = arguments
    }
}

/// Why a call has no result.
package enum BusFailure: Error, Hashable, Sendable {
    /// There is no bus, which is how many machines are.
    case noBus
    /// The other program, or the bus, said no.
    case refused(name: String, message: String)
    /// Nothing came in time.
    case noAnswer
    /// The bus went away first, as it does when a session ends.
    case lost
    /// What was to be sent, or what came, is not a message.
    case malformed

    /// Nobody is there who could answer.
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
        case .noAnswer: "no answer came in time"
        case .lost: "the session bus went away"
        case .malformed: "the answer is of the wrong kind"
        }
    }
}
