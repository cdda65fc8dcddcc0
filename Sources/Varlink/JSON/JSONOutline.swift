/// The structure of a JSON text that may be too large to keep all its values in memory. The elements of
/// arrays are only counted, and are read one by one when needed.
///
///     {"todod":1,"items":[{"uid":"a"},{"uid":"b"}]}      .object([("todod", .value(1)), ("items", .list(2 values))])
package enum JSONOutline: Sendable {
    case value(JSON)
    case list(JSONList)
    /// The members of the top-level object.
    case object([(name: String, outline: JSONOutline)])

    /// Reads the whole text, so any invalid JSON in it is found immediately.
    ///
    /// A text of several objects is a list of them. Some programs write one object on each line.
    package init(of text: String) throws(JSONError) {
        self = try JSONParser.reading(text, at: 0) { parser throws(JSONError) in try parser.outline() }
    }

    package subscript(name: String) -> JSONOutline? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.outline
    }

    /// The kind of value, for error messages.
    package var kind: String {
        switch self {
        case .value(let value): value.kind
        case .list: "an array"
        case .object: "an object"
        }
    }
}

/// Consecutive values in a text.
package struct JSONList: Hashable, Sendable {
    package let count: Int
    /// The offset of the first value.
    fileprivate let start: Int

    fileprivate init(count: Int, start: Int) {
        self.count = count
        self.start = start
    }

    /// Finds the objects in a text that contains one object or several consecutive ones.
    package init(objectsIn text: String) throws(JSONError) {
        self = try JSONParser.reading(text, at: 0) { parser throws(JSONError) in
            try parser.objects(from: 0)
        }
    }
}

/// A reader of the values of a list, one by one.
package struct JSONListReader: Sendable {
    private let text: String
    private let count: Int
    private var position: Int
    /// The number of values read so far.
    package private(set) var index = 0

    /// Creates a reader at the first value of a list.
    ///
    /// - Parameter text: the text in which the list was found.
    package init(_ list: JSONList, in text: String) {
        self.text = text
        count = list.count
        position = list.start
    }

    /// Returns the next value, or `nil` after the last one.
    package mutating func next() throws(JSONError) -> JSON? {
        guard index < count else { return nil }
        index += 1
        let (value, end) = try JSONParser.reading(text, at: position) { parser throws(JSONError) in
            let value = try parser.value(depth: 1)
            parser.skipSpace()
            _ = parser.take(UInt8(ascii: ","))
            return (value, parser.position)
        }
        position = end
        return value
    }
}

extension JSONParser {
    /// Runs `body` with a parser of the text, without copying the text.
    fileprivate static func reading<Value>(
        _ text: String, at position: Int, _ body: (inout JSONParser) throws(JSONError) -> Value
    ) throws(JSONError) -> Value {
        var text = text
        let result = text.withUTF8 { bytes -> Result<Value, JSONError> in
            var parser = JSONParser(bytes: bytes, position: position)
            do throws(JSONError) { return .success(try body(&parser)) } catch { return .failure(error) }
        }
        return try result.get()
    }

    fileprivate mutating func outline() throws(JSONError) -> JSONOutline {
        skipSpace()
        let start = position
        let outline = try outline(depth: 0)
        skipSpace()
        if position == bytes.count { return outline }
        guard case .object = outline else { throw failure("text after the value") }
        return .list(try objects(from: start))
    }

    private mutating func outline(depth: Int) throws(JSONError) -> JSONOutline {
        skipSpace()
        switch peek() {
        case UInt8(ascii: "["): return .list(try list(depth: depth + 1))
        case UInt8(ascii: "{") where depth == 0: return .object(try members())
        default: return .value(try value(depth: depth))
        }
    }

    private mutating func members() throws(JSONError) -> [(name: String, outline: JSONOutline)] {
        position += 1
        var members: [(name: String, outline: JSONOutline)] = []
        var names: Set<String> = []
        skipSpace()
        if take(UInt8(ascii: "}")) { return [] }
        while true {
            skipSpace()
            let start = position
            guard peek() == UInt8(ascii: "\"") else { throw failure("expected a member name") }
            let name = try string()
            guard names.insert(name).inserted else {
                throw JSONError(offset: start, reason: "a member name occurs twice")
            }
            skipSpace()
            guard take(UInt8(ascii: ":")) else { throw failure("expected ':'") }
            members.append((name, try outline(depth: 1)))
            skipSpace()
            if take(UInt8(ascii: "}")) { return members }
            guard take(UInt8(ascii: ",")) else { throw failure("expected ',' or '}'") }
        }
    }

    private mutating func list(depth: Int) throws(JSONError) -> JSONList {
        position += 1
        skipSpace()
        let start = position
        var count = 0
        if take(UInt8(ascii: "]")) { return JSONList(count: 0, start: start) }
        while true {
            _ = try value(depth: depth)
            count += 1
            skipSpace()
            if take(UInt8(ascii: "]")) { return JSONList(count: count, start: start) }
            guard take(UInt8(ascii: ",")) else { throw failure("expected ',' or ']'") }
        }
    }

    /// Reads objects without brackets around them. Some programs write commas between them.
    fileprivate mutating func objects(from start: Int) throws(JSONError) -> JSONList {
        position = start
        skipSpace()
        var count = 0
        while position < bytes.count {
            guard peek() == UInt8(ascii: "{") else { throw failure("text after the value") }
            _ = try value(depth: 0)
            count += 1
            skipSpace()
            if take(UInt8(ascii: ",")) { skipSpace() }
        }
        return JSONList(count: count, start: start)
    }
}
