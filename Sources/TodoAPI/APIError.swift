package import CivilTime
package import Varlink

/// The errors of `dev.todod.Todo`, and those of every Varlink service, with their fields.
package enum APIError: Error, Hashable, Sendable {
    case invalidMessage(reason: String)
    case invalidValue(field: String, reason: String)
    case invalidDate(field: String, text: String, reason: String)
    case pastDate(field: String, text: String, understood: Timestamp)
    case itemNotFound(ids: [Int64])
    case categoryNotFound(name: String, similar: [String])
    case categoryExists(name: String)
    case storeFailure(reason: String)
    case interfaceNotFound(String)
    case methodNotFound(String)
    case invalidParameter(field: String, reason: String)
    /// An error that this version does not know, by its qualified name.
    case other(String)

    /// The name of the error that answers what is no message.
    package static let brokenMessage = "\(TodoInterface.name).InvalidMessage"
    private static let service = ServiceInterface.name

    /// The qualified name on the wire.
    package var name: String {
        switch self {
        case .invalidMessage: Self.brokenMessage
        case .invalidValue: "\(TodoInterface.name).InvalidValue"
        case .invalidDate: "\(TodoInterface.name).InvalidDate"
        case .pastDate: "\(TodoInterface.name).PastDate"
        case .itemNotFound: "\(TodoInterface.name).ItemNotFound"
        case .categoryNotFound: "\(TodoInterface.name).CategoryNotFound"
        case .categoryExists: "\(TodoInterface.name).CategoryExists"
        case .storeFailure: "\(TodoInterface.name).StoreFailure"
        case .interfaceNotFound: "\(Self.service).InterfaceNotFound"
        case .methodNotFound: "\(Self.service).MethodNotFound"
        case .invalidParameter: "\(Self.service).InvalidParameter"
        case .other(let name): name
        }
    }
}

extension APIError: FieldWritable {
    package func write(to object: inout FieldWriter) {
        switch self {
        case .invalidMessage(let reason), .storeFailure(let reason):
            object.string("reason", reason)
        case .invalidValue(let field, let reason):
            object.string("field", field)
            object.string("reason", reason)
        case .invalidDate(let field, let text, let reason):
            object.string("field", field)
            object.string("text", text)
            object.string("reason", reason)
        case .pastDate(let field, let text, let understood):
            object.string("field", field)
            object.string("text", text)
            object.moment("understood", understood)
        case .itemNotFound(let ids): object.integers("ids", ids)
        case .categoryNotFound(let name, let similar):
            object.string("name", name)
            object.strings("similar", similar)
        case .categoryExists(let name): object.string("name", name)
        case .interfaceNotFound(let name): object.string("interface", name)
        case .methodNotFound(let name): object.string("method", name)
        case .invalidParameter(let field, let reason):
            object.string("parameter", field)
            // Not of Varlink's own definition, which tells only the name; a person needs to know why.
            object.string("reason", reason)
        case .other: break
        }
    }
}

extension APIError {
    /// Reads the error of a reply; what does not fit the definition is `.other`.
    package init(name: String, parameters: JSONObject) {
        self = (try? Self.known(name, FieldReader(parameters, unknownFields: .ignored))) ?? .other(name)
    }

    /// Reads the fields of the error with that name; nil when we know no such error.
    package static func known(_ name: String, _ fields: FieldReader) throws(FieldError) -> APIError? {
        switch name {
        case brokenMessage: return .invalidMessage(reason: try fields.string("reason"))
        case "\(TodoInterface.name).InvalidValue":
            return .invalidValue(field: try fields.string("field"), reason: try fields.string("reason"))
        case "\(TodoInterface.name).InvalidDate":
            return .invalidDate(
                field: try fields.string("field"), text: try fields.string("text"),
                reason: try fields.string("reason"))
        case "\(TodoInterface.name).PastDate":
            return .pastDate(
                field: try fields.string("field"), text: try fields.string("text"),
                understood: try fields.moment("understood"))
        case "\(TodoInterface.name).ItemNotFound": return .itemNotFound(ids: try fields.integers("ids"))
        case "\(TodoInterface.name).CategoryNotFound":
            return .categoryNotFound(name: try fields.string("name"), similar: try fields.strings("similar"))
        case "\(TodoInterface.name).CategoryExists": return .categoryExists(name: try fields.string("name"))
        case "\(TodoInterface.name).StoreFailure": return .storeFailure(reason: try fields.string("reason"))
        case "\(service).InterfaceNotFound": return .interfaceNotFound(try fields.string("interface"))
        case "\(service).MethodNotFound": return .methodNotFound(try fields.string("method"))
        case "\(service).InvalidParameter":
            return .invalidParameter(
                field: try fields.string("parameter"), reason: try fields.optionalString("reason") ?? "")
        default: return nil
        }
    }
}
