import Testing
import TodoAPI
import Varlink

/// Every field of every method, sent to the daemon as it should not be.
@Suite struct BadInputTests {
    private struct Field {
        let name: String
        let type: String

        init(_ text: String) {
            let parts = text.split(separator: ":", maxSplits: 1)
            name = String(parts[0])
            type = String(parts[1].dropFirst())
        }

        var isOptional: Bool { type.hasPrefix("?") }

        /// A value of the type.
        var right: String { Self.right(type.drop { $0 == "?" }) }

        private static func right(_ type: Substring) -> String {
            switch type {
            case "string": #""x""#
            case "int": "1"
            case "bool": "true"
            case _ where type.hasPrefix("[]"): "[\(right(type.dropFirst(2)))]"
            case _ where type.hasPrefix("("): #""\#(type.dropFirst().prefix { $0.isLetter })""#
            default: "{}"
            }
        }

        /// Values that no field of the type takes, and what of the field they are wrong in.
        var wrong: [(value: String, path: String)] {
            var wrong: [(String, String)] = isOptional ? [] : [("null", name)]
            switch type.drop(while: { $0 == "?" }) {
            case "string": wrong += ["5", "true", "[]", "{}", "1e300"].map { ($0, name) }
            case "int":
                wrong += [#""1""#, "1.5", "9223372036854775808", "-1e30", "[1]", "true"].map { ($0, name) }
            case "bool": wrong += ["0", #""yes""#, "[]"].map { ($0, name) }
            case "[]int":
                wrong += [("1", name), ("{}", name), (#"[1,"2"]"#, "\(name)[1]"), ("[null]", "\(name)[0]")]
            case let list where list.hasPrefix("[]"):
                wrong += [("{}", name), (#""x""#, name), ("[5]", "\(name)[0]")]
            default: wrong += [("5", name), (#""never heard of""#, name)]
            }
            return wrong
        }
    }

    @Test func everyBadFieldIsNamedAndNothingComesOfIt() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        try sandbox.addItems(["a", "b"])
        let before = try sandbox.call("Export").text("text")
        let connection = try sandbox.connect()
        var count = 0
        for (method, parameters) in try Self.methods() {
            let fields = parameters.map(Field.init)
            let right = fields.map { ($0.name, $0.right) }
            try refuse(method, right + [("unknown", "1")], naming: "unknown", connection, &count)
            for (index, field) in fields.enumerated() {
                for wrong in field.wrong {
                    var members = right
                    members[index].1 = wrong.value
                    try refuse(method, members, naming: wrong.path, connection, &count)
                }
                guard !field.isOptional else { continue }
                var members = right
                members.remove(at: index)
                try refuse(method, members, naming: field.name, connection, &count)
            }
        }
        #expect(count > 300)
        #expect(try sandbox.call("Export").text("text") == before)
        #expect(try sandbox.call("Undo", #"{"count":2}"#).error == nil)
    }

    /// The connection is as good as before after each.
    private func refuse(
        _ method: String, _ members: [(String, String)], naming field: String,
        _ connection: ClientConnection, _ count: inout Int
    ) throws {
        let parameters = "{" + members.map { #""\#($0)":\#($1)"# }.joined(separator: ",") + "}"
        try connection.call(method, parameters, more: method == "Watch")
        let reply = try connection.nextReply()
        #expect(reply.error == "org.varlink.service.InvalidParameter", "\(method) \(parameters): \(reply)")
        #expect(reply.text("parameter") == field, "\(method) \(parameters): \(reply)")
        count += 1
    }

    /// The methods that the daemon serves, and the fields that they take.
    private static func methods() throws -> [(String, [String])] {
        func method<M: Method>(_ type: M.Type) throws -> (String, [String]) {
            (M.name, try FieldLister.fields(of: M.Parameters()))
        }
        let methods = [
            try method(AddItem.self), try method(UpdateItem.self), try method(GetItem.self),
            try method(ListItems.self), try method(DueItems.self), try method(CompleteItems.self),
            try method(ReopenItems.self), try method(SkipItems.self), try method(SnoozeItems.self),
            try method(MuteItems.self), try method(DeleteItems.self), try method(AddCategory.self),
            try method(UpdateCategory.self), try method(DeleteCategory.self), try method(ListCategories.self),
            try method(Undo.self), try method(Redo.self), try method(Evaluate.self), try method(Quiet.self),
            try method(Watch.self), try method(Backup.self), try method(Export.self), try method(Import.self),
            try method(Status.self),
        ]
        let served = TodoInterface.description.split(separator: "\n").compactMap { line in
            line.hasPrefix("method ") ? String(line.dropFirst(7).prefix { $0.isLetter }) : nil
        }
        #expect(Set(methods.map(\.0)) == Set(served))
        return methods
    }
}
