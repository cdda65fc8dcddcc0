import TestSupport
import Testing
import Varlink

@testable import TodoAPI

/// Sends every field of every method with a wrong value.
@Suite struct BadFieldTests {
    private let types = InterfaceText(TodoInterface.description).types
        .merging(InterfaceText(SyncInterface.description).types) { first, _ in first }

    @Test func everyFieldOfWrongTypeIsNamed() throws {
        try check(AddItem.self)
        try check(UpdateItems.self)
        try check(SkipItems.self)
        try check(GetItem.self)
        try check(ListItems.self)
        try check(DueItems.self)
        try check(CompleteItems.self)
        try check(DeleteItems.self)
        try check(AddCategory.self)
        try check(DeleteCategory.self)
        try check(UpdateCategory.self)
        try check(ListCategories.self)
        try check(ListTags.self)
        try check(UpdateTag.self)
        try check(DeleteTag.self)
        try check(AddView.self)
        try check(UpdateView.self)
        try check(DeleteView.self)
        try check(UpdateItems.self)
        try check(ReopenItems.self)
        try check(SnoozeItems.self)
        try check(MuteItems.self)
        try check(Evaluate.self)
        try check(Watch.self)
        try check(Quiet.self)
        try check(Undo.self)
        try check(Redo.self)
        try check(Backup.self)
        try check(Export.self)
        try check(Import.self)
        try check(Watch.self)
        try check(Status.self)
    }

    @Test func everyFieldOfSyncMethodIsNamed() throws {
        try check(AddSyncAccount.self)
        try check(ListSyncAccounts.self)
        try check(DeleteSyncAccount.self)
        try check(UpdateSyncList.self)
        try check(ListSyncEntries.self)
        try check(TakeSyncChanges.self)
        try check(ListSyncUploads.self)
        try check(RecordSyncUploads.self)
        try check(ListSyncConflicts.self)
        try check(ResolveSyncConflict.self)
        try check(FindLists.self)
        try check(AddAccount.self)
        try check(RemoveAccount.self)
        try check(SyncNow.self)
        try check(GetSyncState.self)
    }

    private func check<M: Method>(_ method: M.Type) throws {
        let fields = try FieldLister.fields(of: M.Parameters()).map { field in
            let parts = field.split(separator: ":", maxSplits: 1).map { $0.drop { $0 == " " } }
            return (name: String(parts[0]), type: String(parts[1]))
        }
        let valid = fields.map { ($0.name, right($0.type)) }
        _ = try FieldReader.read(M.Parameters.self, from: JSONObject(valid))
        for (index, field) in fields.enumerated() {
            var broken = valid
            broken[index].1 = wrong(field.type)
            expectRefusal(of: field.name, broken, M.self)
            broken[index].1 = .null
            if field.type.hasPrefix("?") {
                _ = try FieldReader.read(M.Parameters.self, from: JSONObject(broken))
            } else {
                expectRefusal(of: field.name, broken, M.self)
                broken.remove(at: index)
                expectRefusal(of: field.name, broken, M.self)
            }
        }
        expectRefusal(of: "unknown", valid + [("unknown", .integer(1))], M.self)
    }

    private func expectRefusal<M: Method>(of field: String, _ members: [(String, JSON)], _ method: M.Type) {
        let error = #expect(throws: FieldError.self, "\(M.name) \(field)") {
            try FieldReader.read(M.Parameters.self, from: JSONObject(members.map { ($0.0, $0.1) }))
        }
        #expect(error?.field == field, "\(M.name)")
    }

    private func right(_ type: String) -> JSON {
        switch type.drop(while: { $0 == "?" }) {
        case "string": .string("x")
        case "int": .integer(1)
        case "bool": .boolean(true)
        case let list where list.hasPrefix("[]"): .array([right(String(list.dropFirst(2)))])
        case let choice where choice.hasPrefix("("):
            .string(String(choice.dropFirst().prefix { $0.isLetter }))
        case ItemLink.varlinkType: .object(JSONObject([("url", .string("test:x"))]))
        case let type: .object(JSONObject(requiredFields(of: String(type)).map { ($0.name, right($0.type)) }))
        }
    }

    private func requiredFields(of type: String) -> [(name: String, type: String)] {
        (types[type] ?? []).map { field in
            let parts = field.split(separator: ":", maxSplits: 1).map { $0.drop { $0 == " " } }
            return (name: String(parts[0]), type: String(parts[1]))
        }.filter { !$0.type.hasPrefix("?") }
    }

    private func wrong(_ type: String) -> JSON {
        type.hasSuffix("string") && !type.contains("[]") ? .integer(5) : .string("5 of those")
    }
}
