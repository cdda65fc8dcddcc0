internal import Dispatch
internal import Platform
internal import Systemd

/// The passwords in the Secret Service of the desktop (org.freedesktop.secrets), as a keyring or a password manager
/// offers it.
///
/// It never asks the user, because the program may run without a desktop. A locked keyring is an error. Every call
/// blocks, and closes the connection to the bus when it is done.
final class SecretService {
    /// The reason why the service cannot be used.
    enum Failure: Error, Hashable {
        /// No program offers the service.
        case absent
        case locked
        case notFound
        case failed(String)
    }

    private static let service = "org.freedesktop.secrets"
    private static let path = "/org/freedesktop/secrets"
    private static let interface = "org.freedesktop.Secret"
    private static let noPrompt = "/"
    private static let secondsLimit = 10.0
    private static let bytesLimit = 4 << 10

    private let queue = DispatchQueue(label: "todod-sync.bus")
    private let address: String?

    /// Creates a client.
    ///
    /// - Parameter address: the address of the bus, or `nil` for the session bus.
    init(address: String? = nil) {
        self.address = address
    }

    /// Returns the password of an account.
    func password(of account: String) throws(Failure) -> String {
        try withSession { (call, session) throws(Failure) in
            let item = try Self.item(of: account, call)
            let reply = try call(
                item, "Item", "GetSecret", [.objectPath(session)])
            guard case .structure(let parts)? = reply.first, parts.count == 4,
                case .array(_, let bytes) = parts[2], bytes.count <= Self.bytesLimit,
                let text = String(validating: bytes.compactMap(\.asByte), as: UTF8.self)
            else { throw .failed("its answer has another form") }
            return text
        }
    }

    /// Stores the password of an account, in place of an older one.
    ///
    /// - Throws: `absent` also if there is no default keyring.
    func store(_ password: String, of account: String) throws(Failure) {
        try withSession { (call, session) throws(Failure) in
            let alias = try call(Self.path, "Service", "ReadAlias", [.string("default")])
            guard let collection = alias.first?.asString, collection != Self.noPrompt else {
                // A machine without a desktop may start the service, and has no keyring in it.
                throw .absent
            }
            let properties: BusValue = .dictionary([
                ("\(Self.interface).Item.Label", .string("todod: \(account)")),
                ("\(Self.interface).Item.Attributes", Self.attributes(of: account)),
            ])
            let bytes: BusValue = .array(of: "y", password.utf8.map { .byte($0) })
            let secret: BusValue = .structure([
                .objectPath(session), .array(of: "y", []), bytes, .string("text/plain"),
            ])
            let reply = try call(
                collection, "Collection", "CreateItem", [properties, secret, .boolean(true)])
            guard reply.count == 2, reply[1].asString == Self.noPrompt else { throw .locked }
        }
    }

    /// Removes the password of an account. It is not an error if there is none.
    func remove(passwordOf account: String) throws(Failure) {
        try withSession { (call, _) throws(Failure) in
            do throws(Failure) {
                let item = try Self.item(of: account, call)
                let reply = try call(item, "Item", "Delete", [])
                guard reply.first?.asString == Self.noPrompt else { throw .locked }
            } catch {
                if error != .notFound { throw error }
            }
        }
    }

    // MARK: - Calls

    private typealias Call = (_ path: String, _ interface: String, _ member: String, _ arguments: [BusValue])
        throws(Failure) -> [BusValue]

    private static func attributes(of account: String) -> BusValue {
        .array(
            of: "{ss}",
            [
                .entry(.string("xdg:schema"), .string("dev.todod.Sync")),
                .entry(.string("account"), .string(account)),
            ])
    }

    private static func item(of account: String, _ call: Call) throws(Failure) -> String {
        let reply = try call(path, "Service", "SearchItems", [attributes(of: account)])
        guard reply.count == 2, case .array(_, let unlocked) = reply[0], case .array(_, let locked) = reply[1]
        else { throw .failed("its answer has another form") }
        if let path = unlocked.first?.asString { return path }
        throw locked.isEmpty ? .notFound : .locked
    }

    /// Opens a session in which secrets are not encrypted. The bus is local.
    private func withSession<Result: Sendable>(
        _ body: (Call, _ session: String) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let connection = BusCalls(queue: queue, address: address)
        defer { connection.close() }
        let call: Call = { (path, interface, member, arguments) throws(Failure) in
            let call = BusCall(
                to: Self.service, path: path, interface: "\(Self.interface).\(interface)", member: member,
                arguments: arguments)
            switch connection.result(of: call, secondsLimit: Self.secondsLimit) {
            case .success(let values): return values
            case .failure(let failure): throw Self.failure(failure)
            }
        }
        let reply = try call(
            Self.path, "Service", "OpenSession", [.string("plain"), .variant(.string(""))])
        guard reply.count == 2, let session = reply[1].asString else {
            throw .failed("its answer has another form")
        }
        return try body(call, session)
    }

    private static func failure(_ failure: BusFailure) -> Failure {
        if failure.isAbsence { return .absent }
        if case .refused(let name, _) = failure {
            if name == "\(interface).Error.IsLocked" { return .locked }
            // The program that the bus would start is not installed, or cannot start without a desktop.
            if name.hasPrefix("org.freedesktop.DBus.Error.Spawn") { return .absent }
        }
        return .failed("\(failure)")
    }
}

extension BusValue {
    fileprivate var asByte: UInt8? {
        if case .byte(let byte) = self { byte } else { nil }
    }
}

/// Blocking calls over a bus, which itself works on a queue.
///
/// `@unchecked Sendable`: the bus is used only on the queue.
private final class BusCalls: @unchecked Sendable {
    private let queue: DispatchQueue
    private let bus: Bus

    init(queue: DispatchQueue, address: String?) {
        self.queue = queue
        bus = Bus(queue: queue, address: address)
    }

    func result(of call: BusCall, secondsLimit: Double) -> Result<[BusValue], BusFailure> {
        let end = DispatchSemaphore(value: 0)
        let reply = Locked<Result<[BusValue], BusFailure>>(.failure(.noAnswer))
        queue.async {
            self.bus.call(call, timeoutSeconds: secondsLimit) { result in
                reply.withLock { $0 = result }
                end.signal()
            }
        }
        end.wait()
        return reply.withLock { $0 }
    }

    func close() {
        queue.sync { bus.close() }
    }
}
