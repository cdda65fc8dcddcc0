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
        ("AddItem", #"{"name":"x"}"#, false), ("UpdateItems", #"{"ids":[1]}"#, false),
        ("AddItem", #"{"name":"x","quick":true,"dryRun":true}"#, true),
    ])
    func callOfChangeIsNoReading(method: String, parameters: String, isReading: Bool) throws {
        guard case .object(let object) = try JSONParser.parse(parameters.utf8) else { return }
        #expect(MadeChanges().isReading(object, of: "\(TodoInterface.name).\(method)") == isReading)
    }

    @Test(arguments: [
        (SyncNow.qualifiedName, "{}", "the lists were synchronized"),
        (AddAccount.qualifiedName, "{}", "the lists were added"),
        (RemoveAccount.qualifiedName, "{}", "the synchronization has ended"),
        (UpdateSyncList.qualifiedName, "{}", "the deletions were decided"),
        (ResolveSyncConflict.qualifiedName, "{}", "a conflict was removed"),
        (ResolveSyncConflict.qualifiedName, #"{"item":{"id":3}}"#, "item 3 was changed"),
    ])
    func changesOfSynchronizationAreNamed(method: String, reply: String, text: String) throws {
        guard case .object(let object) = try JSONParser.parse(reply.utf8) else { return }
        let changes = MadeChanges()
        #expect(!changes.isReading(JSONObject(), of: method))
        changes.add(method, object)
        #expect(changes.error(unwritten: "x").message.hasPrefix("todoctl: \(text), but the answer cannot"))
        #expect(changes.isReading(JSONObject(), of: GetSyncState.qualifiedName))
    }

    /// The typed parameters and the JSON of `todoctl call` follow one rule.
    @Test func dryRunOfAddIsReading() {
        var parameters = AddItem.Parameters()
        #expect(!MadeChanges().isReading(parameters, of: AddItem.qualifiedName))
        parameters.dryRun = true
        let object = JSONObject([("name", .string("x")), ("dryRun", .boolean(true))])
        #expect(MadeChanges().isReading(parameters, of: AddItem.qualifiedName))
        #expect(MadeChanges().isReading(object, of: AddItem.qualifiedName))
    }
}
