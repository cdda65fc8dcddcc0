/// A call, such as `{"method":"dev.todod.Todo.AddItem","parameters":{"name":"Pay the rent"}}`.
package struct MethodCall: Hashable, Sendable {
    /// The interface and the name of the method, separated by a dot.
    package var method: String
    package var parameters: JSONObject
    /// Whether the caller wants no reply, not even an error.
    package var isOneway: Bool
    /// Whether the caller accepts several replies.
    package var wantsMore: Bool

    /// The interface part of `method`, or `nil` if it contains no dot.
    package var interface: String? {
        method.lastIndex(of: ".").map { String(method[..<$0]) }
    }

    // MARK: - Wire

    /// Parses a message. An unknown member or one of the wrong type is an error, as in other implementations.
    package init(message: some Collection<UInt8>) throws(MessageError) {
        let object = try MessageError.object(in: message)
        var method: String?
        parameters = JSONObject()
        isOneway = false
        wantsMore = false
        for (name, value) in object.members {
            switch (name, value) {
            case ("method", .string(let text)): method = text
            case ("parameters", .object(let object)): parameters = object
            case ("oneway", .boolean(let flag)): isOneway = flag
            case ("more", .boolean(let flag)): wantsMore = flag
            case ("parameters", .null), ("oneway", .null), ("more", .null): break
            case ("method", _), ("parameters", _), ("oneway", _), ("more", _):
                throw MessageError(reason: "'\(name)' of a call cannot be \(value.kind)")
            default: throw MessageError(reason: "a call has no member '\(name.prefix(64))'")
            }
        }
        guard let method, !method.isEmpty else { throw MessageError(reason: "a call needs a 'method'") }
        if isOneway && wantsMore { throw MessageError(reason: "'oneway' and 'more' cannot be combined") }
        self.method = method
    }

    /// Returns the bytes of a call without a terminator. `body` writes the parameters.
    package static func bytes(
        _ method: String, isOneway: Bool = false, wantsMore: Bool = false, _ body: (inout JSONWriter) -> Void
    ) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { object in
            object.name("method")
            object.value(method)
            object.name("parameters")
            object.object(body)
            if isOneway {
                object.name("oneway")
                object.value(true)
            }
            if wantsMore {
                object.name("more")
                object.value(true)
            }
        }
        return writer.bytes
    }
}

/// A reply as read by a client: `{"parameters":{…}}`, with optional `"continues":true` or `"error":"…"`.
package struct MethodReply: Hashable, Sendable {
    package var parameters: JSONObject
    package var continues: Bool
    /// The qualified name of the error, or `nil`. The parameters then describe the error.
    package var error: String?

    package init(message: some Collection<UInt8>) throws(MessageError) {
        parameters = JSONObject()
        continues = false
        for (name, value) in try MessageError.object(in: message).members {
            switch (name, value) {
            case ("parameters", .object(let object)): parameters = object
            case ("continues", .boolean(let flag)): continues = flag
            case ("error", .string(let text)): error = text
            case ("parameters", .null), ("continues", .null), ("error", .null): break
            default: throw MessageError(reason: "a reply has no such member '\(name.prefix(64))'")
            }
        }
    }

    /// Returns the bytes of a reply without a terminator. `body` writes the parameters.
    package static func bytes(
        error: String? = nil, continues: Bool = false, _ body: (inout JSONWriter) -> Void
    ) -> [UInt8] {
        write(error: error) { fields in
            body(&fields)
            return continues
        }
    }

    /// Returns the bytes of one reply of a stream, without a terminator. `body` writes the parameters and
    /// returns true if more replies follow.
    package static func streamBytes(
        expectedBytes: Int, _ body: (inout JSONWriter) -> Bool
    ) -> [UInt8] {
        write(error: nil, expectedBytes: expectedBytes, body)
    }

    /// The size of a typical reply with one item.
    private static let usualBytes = 512

    private static func write(
        error: String?, expectedBytes: Int = usualBytes, _ body: (inout JSONWriter) -> Bool
    ) -> [UInt8] {
        var continues = false
        var writer = JSONWriter(capacity: expectedBytes)
        writer.object { object in
            if let error {
                object.name("error")
                object.value(error)
            }
            object.name("parameters")
            object.object { continues = body(&$0) }
            if continues {
                object.name("continues")
                object.value(true)
            }
        }
        return writer.bytes
    }
}

/// The reason why a frame is not a valid call or reply.
package struct MessageError: Error, Hashable, CustomStringConvertible {
    package let reason: String

    package var description: String { reason }

    static func object(in message: some Collection<UInt8>) throws(MessageError) -> JSONObject {
        let json: JSON
        do throws(JSONError) {
            json = try JSONParser.parse(message)
        } catch {
            throw MessageError(reason: "a message is not JSON: \(error)")
        }
        guard case .object(let object) = json else {
            throw MessageError(reason: "a message must be an object, not \(json.kind)")
        }
        return object
    }
}
