/// A call: `{"method":"dev.todod.Todo.AddItem","parameters":{"name":"Pay the rent"}}`.
package struct MethodCall: Hashable, Sendable {
    /// The interface and the method's name, joined by a dot.
    package var method: String
    package var parameters: JSONObject
    /// The caller wants no reply, not even an error.
    package var isOneway: Bool
    /// The caller takes several replies.
    package var wantsMore: Bool

    /// The interface part of `method`; nil when there is no dot in it.
    package var interface: String? {
        method.lastIndex(of: ".").map { String(method[..<$0]) }
    }

    // MARK: - Wire

    /// Reads a message; an unknown or ill-typed member is an error, as with the other implementations.
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
        if isOneway && wantsMore { throw MessageError(reason: "'oneway' and 'more' exclude each other") }
        self.method = method
    }

    /// The bytes of a call whose parameters `body` writes, without a terminator.
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

/// A reply as a client reads it: `{"parameters":{…}}`, with `"continues":true` or `"error":"…"`.
package struct MethodReply: Hashable, Sendable {
    package var parameters: JSONObject
    package var continues: Bool
    /// The qualified name of the error; `parameters` then tells more.
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

    /// The bytes of a reply whose parameters `body` writes, without a terminator.
    package static func bytes(
        error: String? = nil, continues: Bool = false, _ body: (inout JSONWriter) -> Void
    ) -> [UInt8] {
        write(error: error) { fields in
            body(&fields)
            return continues
        }
    }

    /// The bytes of a reply of which `body` knows only in the end whether others follow: that is what it returns.
    package static func streamBytes(
        expectedBytes: Int, _ body: (inout JSONWriter) -> Bool
    ) -> [UInt8] {
        write(error: nil, expectedBytes: expectedBytes, body)
    }

    /// As much as a reply with one item takes.
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

/// Why a frame is no call or no reply.
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
