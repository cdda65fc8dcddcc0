/// A position in the history of a store: that of one transaction.
///
/// A program keeps the token of the last transaction that it has read, and later reads the transactions after it:
///
///     let transactions = try coordinator.history(after: token)
///     token = transactions.last?.token ?? token
///
/// A token can be stored as text. It belongs to one store, and to one history of it: a token that is newer than the
/// backup from which a store was restored is refused, and does not stand for another transaction with the same number.
public struct HistoryToken: Hashable, Sendable, LosslessStringConvertible {
    /// The identifier of the store.
    public let store: UUIDValue
    /// The number of the transaction.
    public let number: Int64
    /// A random number of the connection that saved the transaction.
    public let writer: Int64

    /// Creates the token of a transaction, for a store that you implement.
    public init(store: UUIDValue, number: Int64, writer: Int64) {
        self.store = store
        self.number = number
        self.writer = writer
    }

    /// Parses the description of a token. Returns `nil` for any other text.
    public init?(_ text: String) {
        let fields = text.split(separator: "/", omittingEmptySubsequences: false)
        guard fields.count == 3, let store = UUIDValue(String(fields[0])), let number = Int64(fields[1]),
            let writer = Int64(fields[2])
        else { return nil }
        self.init(store: store, number: number, writer: writer)
    }

    /// The token as text, such as `E621E1F8-C36C-495A-93FC-0C247A3E6E5F/12/-6034`.
    public var description: String { "\(store)/\(number)/\(writer)" }
}

extension HistoryToken: Codable {
    /// Decodes the token from its text.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let token = Self(text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "'\(text)' is not the token of a transaction")
        }
        self = token
    }

    /// Encodes the token as its text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
