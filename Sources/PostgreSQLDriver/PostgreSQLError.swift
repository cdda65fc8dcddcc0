/// An error reported by PostgreSQL or by libpq.
///
/// It never contains parameters, because they may be private. The server's detail text contains values too, so
/// `description` does not include it.
package struct PostgreSQLError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kind of an error, as far as callers distinguish it.
    package enum Kind: Hashable, Sendable {
        /// No connection could be made.
        case cannotConnect
        /// The connection was lost. The result of a COMMIT that ended this way is unknown.
        case connectionLost
        /// The server is older than the oldest supported version.
        case tooOld
        /// The server refused the role or its password.
        case authentication
        case tooManyConnections
        /// The role may not do this.
        case notAllowed
        /// The server is a replica, or the transaction may only read.
        case readOnly
        case full
        /// Two rows have equal values that must be unique.
        case unique
        /// A reference leads to a row that does not exist.
        case reference
        /// Another transaction has changed or locked the same rows. The transaction can be repeated.
        case concurrent
        /// A lock was not available within the time limit.
        case locked
        case cancelled
        /// The object in the statement, such as a table, does not exist.
        case missing
        /// A parameter cannot be stored, whatever the state of the database is.
        case invalidValue
        /// A name has more bytes than PostgreSQL keeps.
        case longName
        case other
    }

    package let kind: Kind
    /// The five characters of the SQLSTATE, or `nil` if the server did not send one, as for failed connections.
    package let state: String?
    package let message: String
    /// The values that the error is about. They may be private.
    package let detail: String?
    /// The name of the violated constraint.
    package let constraint: String?
    /// The statement with its `$1` parameters, or `nil` if there is none.
    package let sql: String?

    package init(
        _ kind: Kind, _ message: String, state: String? = nil, detail: String? = nil,
        constraint: String? = nil, sql: String? = nil
    ) {
        self.kind = kind
        self.state = state
        self.message = message
        self.detail = detail
        self.constraint = constraint
        self.sql = sql
    }

    /// `PostgreSQL error 53300: sorry, too many clients already; close other programs or raise max_connections`
    package var description: String {
        let number = state.map { " \($0)" } ?? ""
        let next = advice.map { "; \($0)" } ?? ""
        let place = sql.map { " in: \($0)" } ?? ""
        return "PostgreSQL error\(number): \(message)\(next)\(place)"
    }

    /// The next step for the user, or `nil` if the message says it.
    package var advice: String? {
        switch kind {
        case .cannotConnect:
            if message.contains("definition of service") {
                return "add the service to ~/.pg_service.conf, or correct its name"
            }
            if message.contains("read-only") {
                return "the server is a replica; name the primary, or several hosts"
            }
            if message.contains("does not exist") {
                return "create the role or the database, or correct the connection"
            }
            return "check the host and the port, and that the server runs"
        case .connectionLost: return "the server has ended the connection; try again when it is back"
        case .authentication: return "check the user, ~/.pgpass and pg_hba.conf of the server"
        case .tooManyConnections: return "close other programs, or raise max_connections of the server"
        case .notAllowed: return "grant the role what is missing"
        case .readOnly: return "connect to the primary server"
        case .full: return "make room on the disk of the server"
        case .concurrent: return "try again"
        case .locked: return "end the transaction of the other program, and try again"
        case .tooOld, .unique, .reference, .cancelled, .missing, .invalidValue, .longName, .other: return nil
        }
    }

    // MARK: - Kinds

    /// Returns the kind of an error that the server reported for a statement.
    static func kind(ofState state: String) -> Kind {
        switch state {
        case "23505", "23P01": .unique
        case "23503": .reference
        case "25006": .readOnly
        case "28000", "28P01": .authentication
        case "40001", "40P01": .concurrent
        case "42501": .notAllowed
        case "42P01", "42703", "3F000": .missing
        case "53100": .full
        case "53300": .tooManyConnections
        case "55P03": .locked
        case "57014": .cancelled
        case "57P01", "57P02", "57P03": .connectionLost
        default: state.hasPrefix("08") ? .connectionLost : .other
        }
    }

    /// Returns the kind of a failed connection, which has a text and no SQLSTATE.
    static func kind(ofFailedConnection message: String) -> Kind {
        if message.contains("authentication failed") || message.contains("no pg_hba.conf entry")
            || message.contains("no password supplied")
        {
            return .authentication
        }
        if message.contains("too many clients") || message.contains("connection slots") {
            return .tooManyConnections
        }
        return .cannotConnect
    }
}
