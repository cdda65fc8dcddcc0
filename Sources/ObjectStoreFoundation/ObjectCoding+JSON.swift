public import FoundationEssentials
public import ObjectStore

extension ObjectCoding {
    /// Sets the properties of an object that a JSON object has.
    public func fill(_ object: Object, fromJSON data: Data) throws {
        try Self.decode(data) { try fill(object, from: $0) }
    }

    /// Inserts an object with the properties that a JSON object has.
    @discardableResult
    public func insert(into context: ManagedObjectContext, fromJSON data: Data) throws -> Object {
        try Self.decode(data) { try insert(into: context, from: $0) }
    }

    /// Calls `body` with the decoder of JSON.
    private static func decode<Result>(_ data: Data, _ body: (any Decoder) throws -> Result) throws -> Result
    {
        try withoutActuallyEscaping(body) { body in
            var result: Result?
            let decoder = JSONDecoder()
            decoder.userInfo[DecoderUse.key] = DecoderUse.Body { result = try body($0) }
            _ = try decoder.decode(DecoderUse.self, from: data)
            guard let result else {
                throw DecodingError.dataCorrupted(
                    .init(codingPath: [], debugDescription: "nothing was decoded"))
            }
            return result
        }
    }
}

/// A value whose decoding gives the decoder to a function. Only a type can ask `JSONDecoder` for it.
private struct DecoderUse: Decodable {
    // Unchecked: it is called during the call of `decode`, by the same thread.
    struct Body: @unchecked Sendable {
        let call: (any Decoder) throws -> Void

        init(_ call: @escaping (any Decoder) throws -> Void) { self.call = call }
    }

    static let key = {
        guard let key = CodingUserInfoKey(rawValue: "ObjectCoding") else {
            preconditionFailure("the name of a key is never refused")
        }
        return key
    }()

    init(from decoder: any Decoder) throws {
        try (decoder.userInfo[Self.key] as? Body)?.call(decoder)
    }
}
