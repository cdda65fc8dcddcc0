internal import TodoAPI

/// The editing of one item in the user's editor.
struct ItemEditing {
    let session: Session
    let category: CategoryChoice
    let mayBePast: Bool?

    /// Opens the editor until the daemon accepts the text or the user gives up.
    ///
    /// Returns `nil` if the text has no changes.
    ///
    /// The edited text is never lost. If the daemon rejects it, the user can return to the editor. Otherwise the error
    /// names the file.
    func run(_ id: Int64, editor command: String) throws(ClientError) -> UpdateItems.Reply? {
        var form = ItemForm(try session.daemon().call(GetItem.self, .init(id: id)).item, session.zone)
        let editor = try Editor(command)
        var text = form.text
        while true {
            text = try editor.edit(text)
            var message: String
            do throws(ClientError) {
                let reply = try take(text, form)
                editor.removeFile()
                return reply
            } catch {
                message = error.message
                if case .refused(_, .itemModified?) = error,
                    let item = try? session.daemon().call(GetItem.self, .init(id: id)).item
                {
                    // Keep the edited text, and compare it with the current item at the next attempt.
                    let present = ItemForm(item, session.zone)
                    message += "\nThe item is now:\n\(present.lines(notIn: form))"
                    form = present
                }
            }
            text = ItemForm.text(text, refusedWith: message)
            Output.printError(message)
            guard Question.ask("Return to the editor?", byDefault: true) == true else {
                try? TextFile.write(text, to: editor.path)
                throw .refused("Nothing was changed. Your text is in \(editor.path)")
            }
        }
    }

    private func take(_ text: String, _ form: ItemForm) throws(ClientError) -> UpdateItems.Reply? {
        let changes: UpdateItems.Parameters?
        do throws(ItemForm.Mistake) {
            changes = try form.changes(in: text)
        } catch {
            throw .refused("todoctl: \(error.message)")
        }
        guard var update = changes else { return nil }
        update.past = mayBePast
        update.details.setTimeZone(session)
        // Use another connection, because the daemon closes an idle one while the user types.
        let daemon = try session.daemon()
        return try category.applied(update.category) { (name, isNew) throws(ClientError) in
            (update.category, update.newCategory) = (name, isNew)
            return try daemon.call(UpdateItems.self, update)
        }
    }
}
