/// The shape of a JSON text that is too long to hold all its values: what stands in an array is counted, and read one
/// value after the other when it is wanted.
///
///     {"todod":1,"items":[{"uid":"a"},{"uid":"b"}]}      .object([("todod", .value(1)), ("items", .list(2 values))])
package enum JSONOutline: Sendable {
    case value(JSON)
    case list(JSONList)
    /// The members of the outermost object.
    case object([(name: String, outline: JSONOutline)])

    /// Reads all of a text, so that what is no JSON anywhere in it is found now.
    ///
    /// Several objects one after the other are a list of them, as programs write that have an object on each line.
    package init(of text: String) throws(JSONError) {
        self = try JSONParser.reading(text, at: 0) { parser throws(JSONError) in try parser.outline() }
    }

    package subscript(name: String) -> JSONOutline? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.outline
    }

    /// What this is, in the words of an error message.
    package var kind: String {
        switch self {
        case .value(let value): value.kind
        case .list: "an array"
        case .object: "an object"
        }
    }
}

/// Values that stand one after the other in a text.
package struct JSONList: Hashable, Sendable {
    package let count: Int
    /// Where the first one begins.
    fileprivate let start: Int

    fileprivate init(count: Int, start: Int) {
        self.count = count
        self.start = start
    }

    /// The objects of a text that holds one, or several one after the other.
    package init(objectsIn text: String) throws(JSONError) {
        self = try JSONParser.reading(text, at: 0) { parser throws(JSONError) in
            try parser.objects(from: 0)
        }
    }
}

/// Reads the values of a list one after the other.
package struct JSONListReader: Sendable {
    private let text: String
    private let count: Int
    private var position: Int
    /// How many were read.
    package private(set) var index = 0

    /// - Parameter text: the one that the list is of.
    package init(_ list: JSONList, in text: String) {
        self.text = text
        count = list.count
        position = list.start
    }

    /// Nil after the last one.
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
    /// Runs `body` on a text without a copy of it.
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
                throw JSONError(offset: start, reason: "a member name is repeated")
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

    /// Objects without brackets around them; some programs write commas between them.
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
