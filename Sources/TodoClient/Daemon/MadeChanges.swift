internal import TodoAPI
internal import Varlink

/// The changes that the daemon has made for one command.
///
/// If the command cannot write its output, the error names them.
final class MadeChanges {
    /// The maximum number of item numbers in an error.
    private static let numbersLimit = 10

    /// A description of each change, such as `item 5 was added`.
    private var texts: [String] = []
    /// The number of changes that `undo` can undo, each as one step.
    private var undoableCount = 0

    /// Whether a call makes no separate change, so that an error need not name it.
    func isReading(_ parameters: some MessageBody, of method: String) -> Bool {
        switch parameters {
        case let parameters as Import.Parameters: parameters.dryRun == true || parameters.continues == true
        case let parameters as AddItem.Parameters: parameters.dryRun == true
        case let parameters as Evaluate.Parameters: parameters.dryRun == true
        case let parameters as Quiet.Parameters: parameters.until == nil && parameters.off == nil
        default: ServiceProgram.isReading(method)
        }
    }

    /// Whether a call with unchecked parameters makes no separate change.
    func isReading(_ parameters: JSONObject, of method: String) -> Bool {
        // The interface of Varlink itself only describes the service.
        guard [TodoInterface.name, SyncInterface.name].contains(where: { method.hasPrefix("\($0).") }) else {
            return true
        }
        // The daemon refuses parameters that cannot be decoded.
        let body: (any MessageBody)? =
            switch method {
            case Import.qualifiedName: Self.decoded(Import.Parameters.self, parameters)
            case AddItem.qualifiedName: Self.decoded(AddItem.Parameters.self, parameters)
            case Evaluate.qualifiedName: Self.decoded(Evaluate.Parameters.self, parameters)
            case Quiet.qualifiedName: Self.decoded(Quiet.Parameters.self, parameters)
            default: nil
            }
        return body.map { isReading($0, of: method) } ?? ServiceProgram.isReading(method)
    }

    private static func decoded<Body: MessageBody>(_ type: Body.Type, _ parameters: JSONObject) -> Body? {
        try? FieldReader.read(type, from: parameters, unknownFields: .ignored)
    }

    /// Records the changes of a call from its last reply. The call must not be one for which `isReading` is true.
    ///
    /// - Parameter method: the qualified name of the method.
    func add(_ method: String, _ reply: JSONObject) {
        switch method {
        case Backup.qualifiedName: texts.append("the copy was made")
        case Evaluate.qualifiedName: texts.append("the check was made")
        case Quiet.qualifiedName:
            texts.append(reply["until"] == nil ? "alerts are sent again" : "alerts are held back")
        case Import.qualifiedName:
            let counts = [
                "added", "updated", "categoriesAdded", "categoriesUpdated", "tagsAdded", "tagsUpdated",
            ].map { reply[$0] }
            guard counts.contains(where: { $0 != nil && $0 != .integer(0) }) else { return }
            addUndoable("the items were imported")
        case Undo.qualifiedName, Redo.qualifiedName:
            let count = reply.list("changes").count
            texts.append("\(count) change\(count == 1 ? " was" : "s were") \(Self.participle(of: method))")
        case AddAccount.qualifiedName: texts.append("the lists were added")
        case RemoveAccount.qualifiedName: texts.append("the synchronization has ended")
        case SyncNow.qualifiedName: texts.append("the lists were synchronized")
        case UpdateSyncList.qualifiedName: texts.append("the deletions were decided")
        case ResolveSyncConflict.qualifiedName where reply["item"] == nil:
            texts.append("a conflict was removed")
        default: addObjects(method, reply)
        }
    }

    private func addObjects(_ method: String, _ reply: JSONObject) {
        for kind in ["category", "tag", "view"] {
            guard case .object(let object)? = reply[kind] else { continue }
            guard reply["unchanged"] != .boolean(true), case .string(let name)? = object["name"] else {
                return
            }
            return addUndoable("the \(kind) '\(name.oneLine())' was \(Self.participle(of: method))")
        }
        let items = (reply["item"].map { [$0] } ?? []) + reply.list("items")
        if items.isEmpty { return texts.append("todod has carried out \(method.oneLine(bytesLimit: 80))") }
        let unchanged = Set(reply.list("unchanged").map(\.text))
        let numbers = items.compactMap { item -> String? in
            guard case .object(let item) = item, let id = item["id"]?.text else { return nil }
            return unchanged.contains(id) ? nil : id
        }
        if numbers.isEmpty { return }
        let named = numbers.prefix(Self.numbersLimit).joined(separator: ", ")
        let more = numbers.count > Self.numbersLimit ? " and \(numbers.count - Self.numbersLimit) more" : ""
        let subject = numbers.count == 1 ? "item \(named) was" : "items \(named)\(more) were"
        addUndoable("\(subject) \(Self.participle(of: method))")
    }

    private func addUndoable(_ text: String) {
        texts.append(text)
        undoableCount += 1
    }

    private static func participle(of method: String) -> String {
        switch method {
        case AddItem.qualifiedName, AddCategory.qualifiedName, AddView.qualifiedName: "added"
        case CompleteItems.qualifiedName: "completed"
        case ReopenItems.qualifiedName: "reopened"
        case SkipItems.qualifiedName: "skipped"
        case DeleteItems.qualifiedName, DeleteCategory.qualifiedName, DeleteTag.qualifiedName,
            DeleteView.qualifiedName:
            "deleted"
        case Undo.qualifiedName: "undone"
        case Redo.qualifiedName: "redone"
        default: "changed"
        }
    }

    /// Returns the error that the output cannot be written for this reason, with the changes and how to undo them.
    func error(unwritten reason: String) -> ClientError {
        if texts.isEmpty { return .unwritten(reason) }
        let hint =
            switch undoableCount {
            case 0: ""
            case 1: "\nTo undo it:  todoctl undo"
            default: "\nTo undo it:  todoctl undo \(undoableCount)"
            }
        return .refused(
            "todoctl: \(texts.joined(separator: " and ")), but the answer cannot be written: \(reason)\(hint)"
        )
    }
}

extension JSONObject {
    fileprivate func list(_ name: String) -> [JSON] {
        if case .array(let elements)? = self[name] { elements } else { [] }
    }
}
