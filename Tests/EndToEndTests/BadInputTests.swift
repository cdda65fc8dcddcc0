import Foundation
import TestSupport
import Testing
import TodoAPI
import Varlink

/// Wrong values for every field of every method. The fields are read from the interface text, so a new field is
/// covered automatically.
@Suite struct BadInputTests {
    /// JSON values that no field of the type accepts. The error names the field itself, or the element that `path`
    /// adds to the field.
    private static func wrong(_ field: InterfaceField) -> [(value: String, path: String)] {
        var wrong: [(String, String)] = field.isOptional ? [] : [("null", "")]
        switch field.type {
        case "string": wrong += ["5", "true", "[]", "{}", "1e300"].map { ($0, "") }
        case "int": wrong += [#""1""#, "1.5", "9223372036854775808", "-1e30", "[1]", "true"].map { ($0, "") }
        case "float": wrong += [#""1""#, "[1]", "true"].map { ($0, "") }
        case "bool": wrong += ["0", #""yes""#, "[]"].map { ($0, "") }
        case "[]int": wrong += [("1", ""), ("{}", ""), (#"[1,"2"]"#, "[1]"), ("[null]", "[0]")]
        case let list where list.hasPrefix("[]"):
            wrong += [("{}", ""), (#""x""#, ""), ("[5]", "[0]"), ("[null]", "[0]")]
        default: wrong += [("5", ""), (#""never heard of""#, ""), (#""\#(InterfaceField.long)""#, "")]
        }
        return wrong
    }

    /// Values of the right type that exceed every limit.
    private static func excessive(_ field: InterfaceField) -> [String] {
        switch field.type {
        case "int": ["-1", "-9223372036854775808", "9223372036854775807"]
        case "[]int":
            ["[-9223372036854775808]", "[\(Array(repeating: "7", count: 100_001).joined(separator: ","))]"]
        case "string": [#""\#(InterfaceField.long)""#, #""\#(InterfaceField.manyWords)""#]
        case "[]string": [#"["\#(InterfaceField.long)"]"#]
        default: []
        }
    }

    /// Fields that accept such values: long texts, time spans that are added up, and numbers without a limit.
    private static let taken: Set = [
        "AddItem.leads", "UpdateItems.leads", "DueItems.within", "ListItems.within",
        "AddItem.notes", "UpdateItems.notes", "UpdateItems.appendNotes", "ListItems.limit",
        "ListItems.offset", "ListItems.text", "ListHistory.limit",
        "ListItems.arguments.text", "ListItems.arguments.integer", "ListItems.arguments.texts",
        "ListItems.arguments.integers",
        // There is no list in the store of these tests.
        "DeleteSyncAccount.list", "ListSyncEntries.after", "RecordSyncUploads.results.url",
        "RecordSyncUploads.results.state", "RecordSyncUploads.results.sentText",
        "RecordSyncUploads.results.text", "RecordSyncUploads.results.etag",
        "RecordSyncUploads.results.problem", "TakeSyncChanges.changed.url", "TakeSyncChanges.changed.etag",
        "TakeSyncChanges.changed.text", "TakeSyncChanges.deleted", "TakeSyncChanges.missing",
        "TakeSyncChanges.token", "TakeSyncChanges.ctag",
        "UpdateSyncList.problem", "UpdateSyncList.heldDeletions",
    ]
    /// Errors that belong to one field and do not name it.
    private static let speaking = [
        "InvalidRecurrence": ["every"], "CategoryNotFound": ["category", "moveTo", "name"],
        "ItemNotFound": ["id", "ids"], "ViewNotFound": ["name"], "InvalidPredicate": ["where"],
        "NothingToUndo": ["count"], "SyncAccountNotFound": ["name"], "SyncListNotFound": ["list"],
        "SyncConflictNotFound": ["id"],
    ]

    @Test func everyWrongFieldIsNamedAndChangesNothing() throws {
        let sandbox = try Filled()
        let connection = try sandbox.connect()
        var count = 0
        for method in Self.methods {
            try refuse(method.call(adding: ("unknown", "1")), naming: "unknown", connection, &count)
            for field in method.fields {
                for wrong in Self.wrong(field) {
                    try refuse(
                        method.call(with: field, wrong.value), naming: field.path + wrong.path, connection,
                        &count)
                }
                guard !field.isOptional else { continue }
                try refuse(method.call(without: field), naming: field.path, connection, &count)
            }
        }
        #expect(count > 350)
        try sandbox.expectNoChange()
    }

    /// Sends a wrong call and expects its error. The connection stays usable.
    private func refuse(
        _ call: Call, naming field: String, _ connection: ClientConnection, _ count: inout Int
    ) throws {
        try connection.call(call.method, call.parameters, more: call.method == "Watch")
        let reply = try connection.nextReply()
        #expect(reply.error == "org.varlink.service.InvalidParameter", "\(call): \(reply)")
        #expect(reply.text("parameter") == field, "\(call): \(reply)")
        count += 1
    }

    @Test func excessiveValueIsRefusedByFieldName() throws {
        let sandbox = try Filled()
        let connection = try sandbox.connect()
        var count = 0
        for method in Self.methods {
            for field in method.fields where !Self.taken.contains(field.name(in: method)) {
                for value in Self.excessive(field) {
                    let call = method.call(with: field, value)
                    try connection.call(call.method, call.parameters)
                    let reply = try connection.nextReply()
                    let error = String(reply.error?.split(separator: ".").last ?? "no error")
                    let named = reply.text("field") ?? reply.text("parameter")
                    let isNamed =
                        named?.hasPrefix(field.path) ?? Self.speaking[error]?.contains(field.path) ?? false
                    #expect(isNamed, "\(call) is answered with \(error) of \(named ?? "nothing")")
                    count += 1
                }
            }
        }
        #expect(count > 50)
        try sandbox.expectNoChange()
    }

    @Test func longValuesAreAccepted() throws {
        let sandbox = try Filled()
        let connection = try sandbox.connect()
        for method in Self.methods {
            for field in method.fields where Self.taken.contains(field.name(in: method)) {
                for value in Self.excessive(field) {
                    let call = method.call(with: field, value)
                    try connection.call(call.method, call.parameters)
                    let reply = try connection.nextReply()
                    #expect(reply.error != "dev.todod.Todo.StoreFailure", "\(call): \(reply)")
                }
            }
        }
        #expect(try sandbox.call("Status").error == nil)
    }

    /// Text that is not valid JSON ends the connection, wherever it is in the message.
    @Test func invalidMessageIsRefusedAndChangesNothing() throws {
        let sandbox = try Filled()
        let broken: [[UInt8]] = [
            [0x22, 0xFF, 0xFE, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22], Array(#""\ud800""#.utf8),
            Array(#""\udc00\ud800""#.utf8), Array(#""\u12""#.utf8), Array("\"\u{1}\"".utf8), Array("01".utf8),
            Array("1e999".utf8), Array("nul".utf8),
            [UInt8](repeating: UInt8(ascii: "["), count: 100)
                + [UInt8](repeating: UInt8(ascii: "]"), count: 100),
            Array(#"{"a":1,"a":1}"#.utf8),
        ]
        var count = 0
        for method in Self.methods {
            for field in method.fields where !field.isNested {
                // One method gets all broken values in each field. The others get one each, in turn.
                let some = method.name == "AddItem" ? broken : [broken[count % broken.count]]
                for value in some {
                    try sandbox.expectNoMessage(method.call(with: field, "@"), value)
                    count += 1
                }
                if !field.isOptional {
                    try sandbox.expectNoMessage(method.call(adding: (field.path, field.right)), [])
                }
            }
        }
        #expect(count > 100)
        try sandbox.expectNoChange()
    }

    /// The methods of the interface, with their fields and the fields of the types in them.
    private static var methods: [InterfaceMethod] {
        let text = InterfaceText(TodoInterface.description)
        return text.methods.sorted { $0.key < $1.key }.map { name, method in
            InterfaceMethod(name: name, fields: method.parameters.flatMap { InterfaceField.all($0, text) })
        }
    }
}

/// A field of a method: `due: ?string`, or a field in an argument of a predicate.
private struct InterfaceField {
    static let long = String(repeating: "x", count: 70_000)
    static let manyWords = String(repeating: "1 ", count: 35_000)

    /// The path of the field's value: `due`, `arguments[0].text`.
    let path: String
    let type: String
    let isOptional: Bool
    /// The JSON text around a value that makes it a parameter.
    var frame = (before: "", after: "")
    /// The JSON text of a parameter without a nested field.
    var without = ""

    var isNested: Bool { !frame.before.isEmpty }

    static func all(_ text: String, _ interface: InterfaceText) -> [InterfaceField] {
        let field = InterfaceField(text)
        guard field.type.hasPrefix("[]"), let inner = interface.types[String(field.type.dropFirst(2))] else {
            return [field]
        }
        let members = inner.map(InterfaceField.init)
        return [field]
            + members.map { inner in
                var nested = InterfaceField(
                    path: "\(field.path)[0].\(inner.path)", type: inner.type, isOptional: inner.isOptional)
                let others = members.filter { !$0.isOptional && $0.path != inner.path }.map {
                    #""\#($0.path)":\#($0.right),"#
                }.joined()
                nested.without = "[{\(others.dropLast())}]"
                nested.frame = (#"[{\#(others)"\#(inner.path)":"#, "}]")
                return nested
            }
    }

    init(path: String, type: String, isOptional: Bool) {
        self.path = path
        self.type = type
        self.isOptional = isOptional
    }

    init(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1)
        let type = parts[1].drop { $0 == " " }
        self.init(
            path: String(parts[0]), type: String(type.drop { $0 == "?" }), isOptional: type.hasPrefix("?"))
    }

    /// The parameter that the field is, or is part of.
    var parameter: String { String(path.prefix { $0 != "[" }) }

    func name(in method: InterfaceMethod) -> String { "\(method.name).\(path.replacing("[0]", with: ""))" }

    /// A value that the method accepts.
    var right: String {
        switch (path, type) {
        case ("until", _): #""in 1 hour""#
        case ("path", _): #""/nowhere/copy""#
        case ("name", _): #""Home""#
        case ("url", _): #""https://example.com""#
        case (_, "string"): #""x""#
        case (_, "int"): "1"
        case (_, "bool"): "true"
        case (_, "[]int"): "[1]"
        case (_, "[]string"): #"["name"]"#
        case (_, "ViewQuery"): "{}"
        case (_, let choice) where choice.hasPrefix("("):
            #""\#(choice.dropFirst().prefix { $0.isLetter })""#
        default: "[]"
        }
    }
}

private struct Call: CustomStringConvertible {
    let method: String
    let parameters: String

    var description: String { "\(method) \(parameters.prefix(200))" }
}

private struct InterfaceMethod {
    let name: String
    let fields: [InterfaceField]

    private func call(_ members: [(String, String)]) -> Call {
        Call(
            method: name, parameters: "{" + members.map { #""\#($0)":\#($1)"# }.joined(separator: ",") + "}")
    }

    private func members(besides parameter: String) -> [(String, String)] {
        fields.filter { !$0.isOptional && !$0.isNested && $0.path != parameter }.map { ($0.path, $0.right) }
    }

    /// Returns a call with this field and the required fields only.
    func call(with field: InterfaceField, _ value: String) -> Call {
        // Arguments need a predicate.
        let predicate = field.parameter == "arguments" ? [("where", #""name == %@""#)] : []
        // An end or `off` is required.
        let end = name == "SnoozeItems" && field.parameter != "until" ? [("until", #""1h""#)] : []
        return call(
            members(besides: field.parameter) + predicate + end
                + [(field.parameter, field.frame.before + value + field.frame.after)])
    }

    func call(without field: InterfaceField) -> Call {
        call(members(besides: field.parameter) + (field.isNested ? [(field.parameter, field.without)] : []))
    }

    func call(adding member: (String, String)) -> Call { call(members(besides: "") + [member]) }
}

/// A daemon with two items and a category.
private final class Filled {
    private let sandbox: Sandbox
    private let daemon: RunningDaemon
    private let before: String?

    init() throws {
        sandbox = try Sandbox()
        daemon = try sandbox.startDaemon()
        _ = try sandbox.call("AddCategory", #"{"name":"Home"}"#)
        try sandbox.addItems(["a", "b"])
        before = try sandbox.call("Export").text("text")
    }

    func connect() throws -> ClientConnection { try sandbox.connect() }
    func call(_ method: String) throws -> MethodReply { try sandbox.call(method) }

    func expectNoChange() throws {
        #expect(try sandbox.call("Export").text("text") == before)
        #expect(try sandbox.call("Undo", #"{"count":3}"#).error == nil)
        #expect(daemon.process.isRunning)
    }

    /// Sends a call in which `value` replaces `@`, and expects the error `InvalidMessage`.
    func expectNoMessage(_ call: Call, _ value: [UInt8]) throws {
        let parts = call.parameters.split(separator: "@", omittingEmptySubsequences: false)
        let parameters = Array(parts.map { Array($0.utf8) }.joined(separator: value))
        let connection = try sandbox.connect()
        try connection.send(
            Array(#"{"method":"dev.todod.Todo.\#(call.method)","parameters":"#.utf8) + parameters
                + [UInt8(ascii: "}")])
        let reply = try connection.nextReply()
        #expect(reply.error == "dev.todod.Todo.InvalidMessage", "\(call) \(value): \(reply)")
        #expect(throws: ClientConnection.HungUp.self) { try connection.nextReply() }
    }
}
