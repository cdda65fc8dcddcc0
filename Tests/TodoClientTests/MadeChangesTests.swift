import Testing
import TodoAPI
import Varlink

@testable import TodoClient

/// The changes that an error names if the output cannot be written.
@Suite struct MadeChangesTests {
    @Test(arguments: [
        ("Import", #"{"text":"x","dryRun":true}"#, true), ("Import", #"{"text":"x","continues":true}"#, true),
        ("Import", #"{"text":"x"}"#, false), ("Evaluate", #"{"dryRun":true}"#, true),
        ("Evaluate", "{}", false),
        ("Quiet", "{}", true), ("Quiet", #"{"off":true}"#, false), ("ListItems", "{}", true),
        ("AddItem", #"{"name":"x"}"#, false), ("UpdateItems", #"{"ids":[1],"asPartOfAdd":true}"#, false),
    ])
    func callOfChangeIsNoReading(method: String, parameters: String, isReading: Bool) throws {
        guard case .object(let object) = try JSONParser.parse(parameters.utf8) else { return }
        #expect(MadeChanges().isReading(object, of: "\(TodoInterface.name).\(method)") == isReading)
    }

    /// The typed parameters and the JSON of `todoctl call` follow one rule.
    @Test func updateAfterAddIsPartOfIt() throws {
        let changes = MadeChanges()
        var parameters = UpdateItems.Parameters()
        parameters.asPartOfAdd = true
        let object = JSONObject([("ids", .array([.integer(5)])), ("asPartOfAdd", .boolean(true))])
        #expect(!changes.isReading(parameters, of: UpdateItems.qualifiedName))
        #expect(!changes.isReading(object, of: UpdateItems.qualifiedName))
        changes.add(AddItem.qualifiedName, JSONObject([("item", .object(JSONObject([("id", .integer(5))])))]))
        #expect(changes.isReading(parameters, of: UpdateItems.qualifiedName))
        #expect(changes.isReading(object, of: UpdateItems.qualifiedName))
    }
}
