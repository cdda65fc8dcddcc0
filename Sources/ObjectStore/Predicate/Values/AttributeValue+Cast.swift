import CivilTime

extension AttributeValue {
    /// Returns the value that `CAST` makes, or `nil` if the conversion is not possible. `.null` stays `.null`.
    func cast(to type: FetchPredicate.CastType) -> AttributeValue? {
        if isNull { return .null }
        return switch type {
        case .date: castToDate()
        case .number: castToNumber()
        case .string: text.map { .string($0) }
        case .decimal: text.flatMap(DecimalValue.init).map { .decimal($0.text) }
        case .uuid: text.flatMap(UUIDValue.init).map { .uuid($0) }
        case .uri: text.map { .uri($0) }
        case .binary: castToBinary()
        }
    }

    private func castToDate() -> AttributeValue? {
        switch self {
        case .date: self
        case .integer(let seconds): .date(Timestamp(secondsSince2001: Double(seconds)))
        case .double(let seconds): seconds.isNaN ? .null : .date(Timestamp(secondsSince2001: seconds))
        case .string(let text): Timestamp(iso8601: text).map { .date($0) }
        default: nil
        }
    }

    private func castToNumber() -> AttributeValue? {
        switch self {
        case .integer, .double: self
        case .boolean(let flag): .integer(flag ? 1 : 0)
        case .date(let moment): .double(moment.secondsSince2001)
        case .string(let text), .decimal(let text):
            if let whole = Int64(text) { .integer(whole) } else { Double(text).map { .double($0) } }
        default: nil
        }
    }

    private var text: String? {
        switch self {
        case .string(let text), .decimal(let text), .uri(let text): text
        case .integer(let number): String(number)
        case .double(let number): String(number)
        case .boolean(let flag): flag ? "1" : "0"
        case .date(let moment): moment.iso8601 ?? String(moment.secondsSince2001)
        case .uuid(let identifier): identifier.description
        case .null, .binary: nil
        }
    }

    private func castToBinary() -> AttributeValue? {
        switch self {
        case .binary: self
        case .string(let text): [UInt8](hexadecimal: text).map { .binary($0) }
        default: nil
        }
    }
}
