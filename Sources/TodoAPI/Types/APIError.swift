package import CivilTime
package import Varlink

/// The errors of `dev.todod.Todo` and of the `org.varlink.service` interface, with their fields.
package enum APIError: Error, Hashable, Sendable {
    case invalidMessage(reason: String)
    case invalidValue(field: String, reason: String)
    /// `similar` contains texts that the user probably meant.
    case invalidDate(field: String, text: String, reason: String, similar: [String]? = nil)
    /// `item` is the item that cannot have the time, if there are several.
    case pastDate(field: String, text: String, understood: Timestamp, item: Int64? = nil)
    case invalidRecurrence(text: String, reason: String)
    case invalidPredicate(reason: String, offset: Int64?, found: String, expected: String)
    case itemNotFound(ids: [Int64])
    case itemModified(id: Int64, modifiedAt: Timestamp)
    case categoryNotFound(name: String, similar: [String])
    case categoryExists(name: String)
    case tagNotFound(name: String, similar: [String])
    case tagExists(name: String)
    case viewNotFound(name: String, similar: [String])
    case viewExists(name: String)
    case syncAccountNotFound(name: String, similar: [String])
    case syncAccountExists(name: String)
    case syncListNotFound(name: String, similar: [String])
    case syncConflictNotFound(id: Int64)
    /// A server with lists cannot be used.
    case serverProblem(reason: String)
    case nothingToUndo(reason: String, backup: String?)
    /// `isTag` is true if the object is a tag.
    case undoConflict(
        summary: String, item: Int64?, name: String, changed: [String], reason: String, isTag: Bool? = nil)
    case storeFailure(reason: String)
    case tooLarge(limit: Int64)
    case tooSlow(reason: String)
    /// The changes since the token are no longer kept.
    case tokenTooOld(reason: String)
    /// The token is of another store, or of a state that the store does not have.
    case tokenNotFound(reason: String)
    /// The store keeps no history of its changes.
    case noHistory(reason: String)
    case interfaceNotFound(String)
    case methodNotFound(String)
    case invalidParameter(field: String, reason: String?)
    /// The result is too large for a single reply.
    case expectedMore
    /// An error that this version does not define, by its qualified name.
    case other(String)

    /// One error of each kind with empty fields.
    static let blanks: [APIError] = [
        .invalidMessage(reason: ""), .invalidValue(field: "", reason: ""),
        .invalidDate(field: "", text: "", reason: ""),
        .pastDate(field: "", text: "", understood: Timestamp(secondsSince1970: 0)),
        .invalidRecurrence(text: "", reason: ""), .itemNotFound(ids: []),
        .itemModified(id: 0, modifiedAt: Timestamp(secondsSince1970: 0)),
        .invalidPredicate(reason: "", offset: nil, found: "", expected: ""),
        .categoryNotFound(name: "", similar: []), .categoryExists(name: ""),
        .tagNotFound(name: "", similar: []), .tagExists(name: ""),
        .viewNotFound(name: "", similar: []), .viewExists(name: ""),
        .syncAccountNotFound(name: "", similar: []), .syncAccountExists(name: ""),
        .syncListNotFound(name: "", similar: []), .syncConflictNotFound(id: 0),
        .serverProblem(reason: ""), .nothingToUndo(reason: "", backup: nil),
        .undoConflict(summary: "", item: nil, name: "", changed: [], reason: ""), .storeFailure(reason: ""),
        .tooLarge(limit: 0), .tooSlow(reason: ""), .tokenTooOld(reason: ""), .tokenNotFound(reason: ""),
        .noHistory(reason: ""), .interfaceNotFound(""), .methodNotFound(""),
        .invalidParameter(field: "", reason: nil),
        .expectedMore,
    ]

    /// Creates the error with a qualified name and empty fields, or `other` if the name is unknown.
    package init(named name: String) {
        self = Self.blanks.first { $0.name == name } ?? .other(name)
    }

    /// Reads the error of a reply. An error that does not match its definition becomes `other`.
    package init(name: String, parameters: JSONObject) {
        let blank = APIError(named: name)
        let body = try? FieldReader.read(into: Body(error: blank), from: parameters, .message(.ignored))
        self = body?.error ?? .other(name)
    }

    /// The qualified name of the error in a reply.
    package var name: String {
        switch self {
        case .invalidMessage: "\(TodoInterface.name).InvalidMessage"
        case .invalidValue: "\(TodoInterface.name).InvalidValue"
        case .invalidDate: "\(TodoInterface.name).InvalidDate"
        case .pastDate: "\(TodoInterface.name).PastDate"
        case .invalidRecurrence: "\(TodoInterface.name).InvalidRecurrence"
        case .invalidPredicate: "\(TodoInterface.name).InvalidPredicate"
        case .itemNotFound: "\(TodoInterface.name).ItemNotFound"
        case .itemModified: "\(TodoInterface.name).ItemModified"
        case .categoryNotFound: "\(TodoInterface.name).CategoryNotFound"
        case .categoryExists: "\(TodoInterface.name).CategoryExists"
        case .tagNotFound: "\(TodoInterface.name).TagNotFound"
        case .tagExists: "\(TodoInterface.name).TagExists"
        case .viewNotFound: "\(TodoInterface.name).ViewNotFound"
        case .viewExists: "\(TodoInterface.name).ViewExists"
        case .syncAccountNotFound: "\(TodoInterface.name).SyncAccountNotFound"
        case .syncAccountExists: "\(TodoInterface.name).SyncAccountExists"
        case .syncListNotFound: "\(TodoInterface.name).SyncListNotFound"
        case .syncConflictNotFound: "\(TodoInterface.name).SyncConflictNotFound"
        case .serverProblem: "\(SyncInterface.name).ServerProblem"
        case .nothingToUndo: "\(TodoInterface.name).NothingToUndo"
        case .undoConflict: "\(TodoInterface.name).UndoConflict"
        case .storeFailure: "\(TodoInterface.name).StoreFailure"
        case .tooLarge: "\(TodoInterface.name).TooLarge"
        case .tooSlow: "\(TodoInterface.name).TooSlow"
        case .tokenTooOld: "\(TodoInterface.name).TokenTooOld"
        case .tokenNotFound: "\(TodoInterface.name).TokenNotFound"
        case .noHistory: "\(TodoInterface.name).NoHistory"
        case .interfaceNotFound: "\(ServiceInterface.name).InterfaceNotFound"
        case .methodNotFound: "\(ServiceInterface.name).MethodNotFound"
        case .invalidParameter: "\(ServiceInterface.name).InvalidParameter"
        case .expectedMore: "\(ServiceInterface.name).ExpectedMore"
        case .other(let name): name
        }
    }

    /// The fields of the error, for the parameters of a reply.
    package var body: Body { Body(error: self) }

    package struct Body: MessageBody {
        package fileprivate(set) var error: APIError

        package init() { error = .other("") }

        fileprivate init(error: APIError) { self.error = error }

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            switch error {
            case .invalidMessage(var reason):
                try fields.field("reason", &reason)
                error = .invalidMessage(reason: reason)
            case .invalidValue(var field, var reason):
                try fields.field("field", &field)
                try fields.field("reason", &reason)
                error = .invalidValue(field: field, reason: reason)
            case .invalidDate(var field, var text, var reason, var similar):
                try fields.field("field", &field)
                try fields.field("text", &text)
                try fields.field("reason", &reason)
                try fields.field("similar", &similar)
                error = .invalidDate(field: field, text: text, reason: reason, similar: similar)
            case .pastDate(var field, var text, var understood, var item):
                try fields.field("field", &field)
                try fields.field("text", &text)
                try fields.field("understood", &understood)
                try fields.field("item", &item)
                error = .pastDate(field: field, text: text, understood: understood, item: item)
            case .invalidRecurrence(var text, var reason):
                try fields.field("text", &text)
                try fields.field("reason", &reason)
                error = .invalidRecurrence(text: text, reason: reason)
            case .invalidPredicate(var reason, var offset, var found, var expected):
                try fields.field("reason", &reason)
                try fields.field("offset", &offset)
                try fields.field("found", &found)
                try fields.field("expected", &expected)
                error = .invalidPredicate(reason: reason, offset: offset, found: found, expected: expected)
            case .itemNotFound(var ids):
                try fields.field("ids", &ids)
                error = .itemNotFound(ids: ids)
            case .itemModified(var id, var modifiedAt):
                try fields.field("id", &id)
                try fields.field("modifiedAt", &modifiedAt)
                error = .itemModified(id: id, modifiedAt: modifiedAt)
            case .categoryNotFound(var name, var similar):
                try fields.field("name", &name)
                try fields.field("similar", &similar)
                error = .categoryNotFound(name: name, similar: similar)
            case .categoryExists(var name):
                try fields.field("name", &name)
                error = .categoryExists(name: name)
            case .tagNotFound(var name, var similar):
                try fields.field("name", &name)
                try fields.field("similar", &similar)
                error = .tagNotFound(name: name, similar: similar)
            case .tagExists(var name):
                try fields.field("name", &name)
                error = .tagExists(name: name)
            case .viewNotFound(var name, var similar):
                try fields.field("name", &name)
                try fields.field("similar", &similar)
                error = .viewNotFound(name: name, similar: similar)
            case .viewExists(var name):
                try fields.field("name", &name)
                error = .viewExists(name: name)
            case .syncAccountNotFound(var name, var similar):
                try fields.field("name", &name)
                try fields.field("similar", &similar)
                error = .syncAccountNotFound(name: name, similar: similar)
            case .syncAccountExists(var name):
                try fields.field("name", &name)
                error = .syncAccountExists(name: name)
            case .syncListNotFound(var name, var similar):
                try fields.field("name", &name)
                try fields.field("similar", &similar)
                error = .syncListNotFound(name: name, similar: similar)
            case .syncConflictNotFound(var id):
                try fields.field("id", &id)
                error = .syncConflictNotFound(id: id)
            case .serverProblem(var reason):
                try fields.field("reason", &reason)
                error = .serverProblem(reason: reason)
            case .nothingToUndo(var reason, var backup):
                try fields.field("reason", &reason)
                try fields.field("backup", &backup)
                error = .nothingToUndo(reason: reason, backup: backup)
            case .undoConflict(var summary, var item, var name, var changed, var reason, var isTag):
                try fields.field("summary", &summary)
                try fields.field("item", &item)
                try fields.field("name", &name)
                try fields.field("changed", &changed)
                try fields.field("reason", &reason)
                try fields.field("tag", &isTag)
                error = .undoConflict(
                    summary: summary, item: item, name: name, changed: changed, reason: reason, isTag: isTag)
            case .storeFailure(var reason):
                try fields.field("reason", &reason)
                error = .storeFailure(reason: reason)
            case .tooLarge(var limit):
                try fields.field("limit", &limit)
                error = .tooLarge(limit: limit)
            case .tooSlow(var reason):
                try fields.field("reason", &reason)
                error = .tooSlow(reason: reason)
            case .tokenTooOld(var reason):
                try fields.field("reason", &reason)
                error = .tokenTooOld(reason: reason)
            case .tokenNotFound(var reason):
                try fields.field("reason", &reason)
                error = .tokenNotFound(reason: reason)
            case .noHistory(var reason):
                try fields.field("reason", &reason)
                error = .noHistory(reason: reason)
            case .interfaceNotFound(var name):
                try fields.field("interface", &name)
                error = .interfaceNotFound(name)
            case .methodNotFound(var name):
                try fields.field("method", &name)
                error = .methodNotFound(name)
            case .invalidParameter(var field, var reason):
                try fields.field("parameter", &field)
                // Varlink defines only the name of the parameter. The reason is for people.
                try fields.field("reason", &reason)
                error = .invalidParameter(field: field, reason: reason)
            case .expectedMore, .other: break
            }
        }
    }
}
