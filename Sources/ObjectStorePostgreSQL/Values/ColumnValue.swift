internal import CivilTime
internal import ObjectStore
internal import PostgreSQLDriver

/// A value in the form in which a column stores it: texts in NFC without U+0000, dates as seconds since 1970, and NULL for a
/// double that is not a number.
enum ColumnValue {
    case null
    case boolean(Bool)
    case integer(Int64)
    case double(Double)
    case text(String)
    case bytes([UInt8])
    case uuid(UUIDValue)
    case numeric(String)

    /// Creates the form for a column of a type, or returns `nil` if the column cannot store the value.
    init?(_ value: AttributeValue, _ type: PostgreSQLType) {
        switch (type, value.normalized) {
        case (_, .null): self = .null
        case (.boolean, .boolean(let flag)): self = .boolean(flag)
        case (.integer, .integer(let number)): self = .integer(number)
        case (.double, .double(let number)): self = number.isNaN ? .null : .double(number)
        case (.double, .date(let moment)):
            self = moment.secondsSince1970.isNaN ? .null : .double(moment.secondsSince1970)
        case (.text, .string(let text)), (.text, .uri(let text)): self = .text(StoredText.encoded(text))
        case (.bytes, .binary(let bytes)): self = .bytes(bytes)
        case (.uuid, .uuid(let identifier)): self = .uuid(identifier)
        case (.numeric, .decimal(let text)):
            guard let number = DecimalValue(text) else { return nil }
            self = .numeric(number.text)
        default: return nil
        }
    }
}

extension PostgreSQLParameters {
    mutating func append(_ value: ColumnValue, _ type: PostgreSQLType) throws(PostgreSQLError) {
        switch value {
        case .null: appendNull(type)
        case .boolean(let flag): append(flag)
        case .integer(let number): append(number)
        case .double(let number): append(number)
        case .text(let text): try append(text)
        case .bytes(let bytes): append(bytes)
        case .uuid(let identifier): append(uuid: (identifier.high, identifier.low))
        case .numeric(let text): try append(numeric: text)
        }
    }

    /// Appends a list of integers, such as IDs.
    mutating func append(_ numbers: some Sequence<Int64>) {
        var array = PostgreSQLArray(of: .integer)
        for number in numbers { array.append(number) }
        append(array)
    }
}

extension PostgreSQLArray {
    mutating func append(_ value: ColumnValue) throws(PostgreSQLError) {
        switch value {
        case .null: appendNull()
        case .boolean(let flag): append(flag)
        case .integer(let number): append(number)
        case .double(let number): append(number)
        case .text(let text): try append(text)
        case .bytes(let bytes): append(bytes)
        case .uuid(let identifier): append(uuid: (identifier.high, identifier.low))
        case .numeric(let text): try append(numeric: text)
        }
    }
}

extension PostgreSQLRow {
    /// Returns the value of a column that stores values of a type, or `.null` if there is none or it does not fit the type.
    func value(_ column: Int, _ type: AttributeType) -> AttributeValue {
        guard !isNull(column) else { return .null }
        switch type {
        case .string: return .string(StoredText.decoded(text(column) ?? ""))
        case .uri: return .uri(StoredText.decoded(text(column) ?? ""))
        case .integer64: return .integer(integer(column))
        case .integer32: return Int32(exactly: integer(column)).map { .integer(Int64($0)) } ?? .null
        case .integer16: return Int16(exactly: integer(column)).map { .integer(Int64($0)) } ?? .null
        case .boolean: return .boolean(boolean(column))
        case .double:
            let number = real(column)
            return number.isNaN ? .null : .double(number)
        case .date:
            let seconds = real(column)
            return seconds.isNaN ? .null : .date(Timestamp(secondsSince1970: seconds))
        case .decimal:
            return numeric(column).flatMap { DecimalValue($0) }.map { .decimal($0.text) } ?? .null
        case .uuid: return uuid(column).map { .uuid(UUIDValue(high: $0.high, low: $0.low)) } ?? .null
        case .binary: return .binary(blob(column))
        }
    }
}
