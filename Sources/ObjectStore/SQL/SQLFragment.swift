/// A fragment of an SQL statement: its text and the values for its `?` parameters, in order.
///
/// Text comes only from the model and from this library. Values from a program or a user are always bindings.
/// Names are always quoted.
package struct SQLFragment: Hashable, Sendable {
    package private(set) var text: String
    package private(set) var bindings: [AttributeValue]
    /// The source of each binding, or `nil` for a value that belongs to this request only.
    private(set) var sources: [BindingSource?]
    /// Whether the text depends on more than the shape of the request, regardless of the sources.
    private var isForOneRequest = false

    package init(_ text: String = "", _ bindings: [AttributeValue] = []) {
        self.text = text
        self.bindings = bindings
        sources = bindings.map { _ in nil }
    }

    /// The origin of a binding, which is the same in every request of one shape.
    enum BindingSource: Hashable, Sendable {
        case constant(AttributeValue)
        case argument(ArgumentUse)
        case limit, offset
    }

    /// Whether every request of the same shape can use the text, with bindings from the same sources.
    var servesItsShape: Bool { !isForOneRequest && !sources.contains(nil) }

    /// The same fragment, marked as valid for this request only.
    var forOneRequest: SQLFragment {
        var copy = self
        copy.isForOneRequest = true
        return copy
    }

    /// Returns the quoted name, such as `"name"`. Any character is allowed in it.
    package static func name(_ name: String) -> SQLFragment {
        SQLFragment(quoted(name))
    }

    /// Returns one `?` and its value.
    package static func bound(_ value: AttributeValue) -> SQLFragment {
        SQLFragment("?", [value])
    }

    static func bound(_ value: AttributeValue, _ source: BindingSource?) -> SQLFragment {
        var fragment = bound(value)
        fragment.sources = [source]
        return fragment
    }

    package static func quoted(_ name: String) -> String {
        name.utf8.contains(UInt8(ascii: "\"")) ? "\"" + doubled(name, "\"") + "\"" : "\"\(name)\""
    }

    package mutating func append(_ other: SQLFragment) {
        text += other.text
        bindings += other.bindings
        sources += other.sources
        isForOneRequest = isForOneRequest || other.isForOneRequest
    }

    package mutating func append(_ text: String) {
        self.text += text
    }

    package static func + (left: SQLFragment, right: SQLFragment) -> SQLFragment {
        var sum = left
        sum.append(right)
        return sum
    }

    package static func + (left: SQLFragment, right: String) -> SQLFragment {
        var sum = left
        sum.append(right)
        return sum
    }

    package static func + (left: String, right: SQLFragment) -> SQLFragment {
        var sum = right
        sum.text = left + right.text
        return sum
    }

    /// Returns the fragments with a separator between them, such as `a, b, c`.
    package static func joined(_ pieces: [SQLFragment], by separator: String) -> SQLFragment {
        var sum = SQLFragment()
        for (position, piece) in pieces.enumerated() {
            if position > 0 { sum.append(separator) }
            sum.append(piece)
        }
        return sum
    }

    /// Returns the value as an SQL literal, for constants in the text of a predicate.
    package static func literal(_ value: AttributeValue) -> SQLFragment {
        switch value {
        case .null: SQLFragment("NULL")
        case .boolean(let value): SQLFragment(value ? "1" : "0")
        case .integer(let value): SQLFragment(String(value))
        case .double(let value): number(value, or: .bound(.double(value)))
        case .date(let value): number(value.secondsSince1970, or: .bound(.date(value)))
        case .string(let text), .decimal(let text), .uri(let text):
            text.utf8.contains(0) ? .bound(.string(text)) : SQLFragment("'" + doubled(text, "'") + "'")
        case .uuid(let value): SQLFragment("'\(value)'")
        case .binary(let bytes): SQLFragment("x'" + hexadecimal(bytes) + "'")
        }
    }

    /// Returns the number as a literal, or `bound` if it is infinite or NaN, for which SQL has no literal.
    /// Swift prints the shortest digits that parse to the same number.
    private static func number(_ value: Double, or bound: SQLFragment) -> SQLFragment {
        value.isFinite ? SQLFragment("\(value)") : bound
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef")
        return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }

    private static func doubled(_ text: String, _ quote: Character) -> String {
        text.split(separator: quote, omittingEmptySubsequences: false).joined(separator: "\(quote)\(quote)")
    }
}
